"""The OpenAPI document of `memoir serve`, from its table of routes and the types of the answers."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import schemas

import memoir.ui
from memoir.ui.api import EVENTS, ROUTES, ApiRoute
from memoir.ui.arguments import Parameter, parameters
from memoir.version import __version__

Json = dict[str, Any]

FILE = Path(str(memoir.ui.__file__)).with_name("openapi.json")
"""Where the server finds it."""

_KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}
_STATUSES = {
    "400": "The arguments do not fit.",
    "401": "The token is missing or has expired.",
    "403": "Another site asks, or the server is read-only.",
    "404": "No such revision, branch or memory.",
    "409": "A conflict; nothing was changed.",
    "500": "Any other failure.",
    "503": "A model is needed and not there, or the store is busy.",
}
_BRANCH = {
    "name": "branch", "in": "query", "schema": {"type": "string"}, "description": "The branch to read or to write.",
}  # fmt: skip


def document() -> str:
    """The document, as JSON."""
    answers = {route.command: _component(route.command) for route in ROUTES}
    shared = {"shapes": None, "envelope": None, "error": None}
    components = {**answers, **{name: _component(name) for name in shared}}
    paths: Json = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    paths[EVENTS] = {"get": _events()}
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "memoir", "version": __version__, "description": "The JSON of the commands, over HTTP."},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {"failure": {"description": "A failure.", **_body("error")}},
        },
    }
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


@cache
def _texts() -> dict[str, str]:
    return dict(schemas.schemas())


def _component(name: str) -> Json:
    """The schema of a command's answers, whose references lead into the document."""
    text = _texts()[name]
    text = re.sub(r'"\$ref": "#/', rf'"$ref": "#/components/schemas/{name}/', text)
    text = re.sub(r'"\$ref": "([\w-]+)\.json#/', r'"$ref": "#/components/schemas/\1/', text)
    text = re.sub(r'"\$ref": "([\w-]+)\.json"', r'"$ref": "#/components/schemas/\1"', text)
    schema: Json = json.loads(text)
    schema.pop("$schema", None)
    return schema


def _operation(route: ApiRoute) -> Json:
    known = parameters(route.call)
    failures = {status: {"$ref": "#/components/responses/failure"} for status in _STATUSES}
    operation: Json = {
        "operationId": f"{route.method.lower()}{route.path.removeprefix('/api').replace('/', '_')}",
        "summary": (route.call.__doc__ or "").partition("\n")[0],
        "responses": {"200": {"description": f"The answer of memoir {route.command}.", **_body(route.command)}},
    }
    operation["responses"] |= failures
    if route.method == "GET":
        operation["parameters"] = [_in_query(name, each) for name, each in known.items()] + [_BRANCH]
        if route.by_commit:
            operation["responses"]["304"] = {"description": "The commits of the ETag sent as If-None-Match still hold."}
        return operation
    fields = {name: _schema(each) for name, each in known.items()} | {"branch": _BRANCH["schema"]}
    body = {"type": "object", "properties": fields, "additionalProperties": False}
    if required := [name for name, each in known.items() if each.required]:
        body["required"] = required
    operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return operation


def _in_query(name: str, parameter: Parameter) -> Json:
    return {"name": name, "in": "query", "required": parameter.required, "schema": _schema(parameter)}


def _schema(parameter: Parameter) -> Json:
    one: Json = {"type": _KINDS[parameter.kind]}
    schema: Json = {"type": "array", "items": one} if parameter.repeats else one
    return schema if parameter.default in (None, "") else {**schema, "default": parameter.default}


def _body(command: str) -> Json:
    return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{command}"}}}}


def _events() -> Json:
    return {
        "operationId": "get_events",
        "summary": "New commits of a branch as they are made: server-sent events 'commit', as in the answer of log.",
        "parameters": [_BRANCH],
        "responses": {"200": {"description": "The stream.", "content": {"text/event-stream": {}}}},
    }
