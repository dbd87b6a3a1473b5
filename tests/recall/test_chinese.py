"""Questions in Chinese, which has no spaces between its words."""

from memoir.records.record import Memory
from memoir.repository.repository import Repository

FACTS = {
    "a.database": "我们的数据库是 PostgreSQL，每天凌晨三点备份一次",
    "b.deploy": "每周四下午发布新版本，周五不发布",
    "c.tests": "合并之前必须通过所有单元测试",
    "d.editor": "我写代码的时候喜欢用 Vim 编辑器",
    "e.meeting": "团队会议在星期一上午九点半开始",
    "f.allergy": "小明对花生过敏，不能吃坚果",
    "g.home": "我住在上海，靠近静安寺",
    "h.payment": "支付服务由李雷负责，密钥放在保险库里",
    "i.incident": "去年十月磁盘写满，网站停了两个小时",
    "j.language": "后端用 Go 编写，前端用 TypeScript",
}
QUESTIONS = {
    "数据库什么时候备份？": "a.database",
    "哪天发布新版本": "b.deploy",
    "合并之前要做什么测试": "c.tests",
    "我喜欢什么编辑器": "d.editor",
    "团队会议几点开始？": "e.meeting",
    "谁对花生过敏": "f.allergy",
    "我住在哪里": "g.home",
    "支付服务谁负责": "h.payment",
    "网站为什么停了": "i.incident",
    "后端用什么语言编写": "j.language",
}


def test_questions_in_chinese_find_their_memories_first(repository: Repository) -> None:
    for path, content in FACTS.items():
        repository.remember(Memory.of(content), path)

    first = {question: repository.recall(question, limit=1).memories[0].path for question in QUESTIONS}

    assert sum(first[question] == path for question, path in QUESTIONS.items()) >= 9, first
