// memoir for OpenCode (written by 'memoir setup opencode'; 'memoir setup opencode --remove' removes it)
import { spawn } from "node:child_process"

const program = PROGRAM
const options = OPTIONS // null: prompts are not handed over

// Asks one hook, and never fails: what goes wrong is not text.
function ask(event, payload, options = []) {
  return new Promise((resolve) => {
    let output = ""
    const done = (text) => resolve(text)
    try {
      const child = spawn(program, ["hook", "opencode", event, ...options], { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => child.kill(), 3000)
      child.on("error", () => (clearTimeout(timer), done("")))
      child.stdin.on("error", () => {})
      child.stdout.on("data", (chunk) => (output += chunk))
      child.on("close", () => {
        clearTimeout(timer)
        try {
          done(JSON.parse(output).additionalContext ?? "")
        } catch {
          done("")
        }
      })
      child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload }))
    } catch {
      done("")
    }
  })
}

export const Memoir = async ({ directory }) => {
  const begun = new Set()
  return {
    "chat.message": async (input, output) => {
      try {
        const session = input.sessionID
        const about = { session_id: session, cwd: directory }
        const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        const texts = []
        if (!begun.has(session)) {
          begun.add(session)
          texts.push(await ask("SessionStart", { ...about, source: "startup" }))
        }
        const prompt = typed.map((part) => part.text).join("\n")
        if (options) texts.push(await ask("UserPromptSubmit", { ...about, prompt }, options))
        for (const text of texts.filter(Boolean)) {
          const id = "prt_memoir" + Date.now().toString(36) + Math.random().toString(36).slice(2)
          const place = { id, sessionID: session, messageID: output.message.id }
          output.parts.push({ ...place, type: "text", text, synthetic: true })
        }
      } catch {}
    },
    "experimental.session.compacting": async (input, output) => {
      try {
        const text = await ask("SessionStart", { session_id: input.sessionID, cwd: directory, source: "compact" })
        if (text) output.context.push(text)
      } catch {}
    },
  }
}
