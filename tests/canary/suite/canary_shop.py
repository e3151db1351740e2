"""A pytest plugin that makes the shop of a copy of the example suite show secrets on all of its pages.

What shows one is drawn in the ink of the search.
"""

from __future__ import annotations

import base64
import json
import os
from html import escape
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask, Response, request
from shop import server

from pytest_webtask import Secret
from pytest_webtask.data.values import Data

SECRETS: dict[str, str] = json.loads(os.environ["CANARY_SECRETS"])
SEND = os.environ.get("CANARY_BUTTON", "Send")

_STYLE = """<style>
.ink { color: #ff00ff !important } .ink::placeholder, .after::after { color: #ff00ff }
.known { position: fixed; right: 0; bottom: 0; pointer-events: none; font: 10px monospace; z-index: 9 }
</style>"""
_ECHO = """<!doctype html><title>Echo</title>{style}
<style>
  * {{ font: 11px monospace; margin: 1px }} section {{ columns: 4 }}
  .after::after {{ content: attr(data-key) }}
</style>
<h1>Echo</h1><form action=/echo>{fields}<button>{send}</button></form>
<section aria-label=Received>{received}</section>
<p><button onclick="alert('Keep ' + secrets.token)">Warn</button>
<button onclick="toast.textContent = prompt('Your token, such as ' + secrets.token)">Ask</button>
<button onclick="console.error('bad ' + secrets.iban)">Log</button>
<button onclick="fetch('/nothing?key=' + encodeURIComponent(secrets.password))">Fetch</button>
<button onclick="open('/echo?popup=' + encodeURIComponent(secrets.password))">Open</button>
<button onclick="toast.textContent = secrets.card; setTimeout(() => toast.textContent = '', 60)">Toast</button>
<a href="data:text/plain,{token}" download="{token}.txt">Download</a> <b id=toast role=status class=ink></b></p>
<section aria-label=Known>{known}</section>
<iframe height=30 srcdoc="{framed}"></iframe><section id=coded aria-label=Coded></section><p id=host></p>
<script>
  const secrets = {json};
  const bytes = (s) => String.fromCharCode(...new TextEncoder().encode(s));
  const lines = (s) => s.match(/.{{1,76}}/g).join("\\n");
  for (const [kind, s] of Object.entries(secrets)) {{
    const ways = [encodeURIComponent(s), new URLSearchParams({{s}}).toString().slice(2), JSON.stringify(s),
      encodeURIComponent(JSON.stringify(s)), btoa(bytes(s)), lines(btoa(bytes("x".repeat(50) + s + "y".repeat(50)))),
      [...s].join("\u200b"), s.normalize("NFD"), s.toUpperCase(), s.match(/.{{1,4}}/g).join(" "),
      [...bytes(s)].map((c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join("")];
    for (const way of ways) coded.append(Object.assign(document.createElement("p"), {{textContent: way, className: "ink"}}));
  }}
  host.attachShadow({{mode: "open"}}).innerHTML = "<p style='color: #ff00ff'></p>";
  host.shadowRoot.firstChild.textContent = secrets.password;
</script>"""


def _known(kind: str, secret: str) -> str:
    shown, coded = escape(secret), quote(secret)
    half = len(secret) // 2
    return (
        f"<h2 class=ink>{shown}</h2><p>Your {kind} is <b class=ink>{escape(secret[:half])}</b>"
        f"<i class=ink>{escape(secret[half:])}</i>.</p>"
        f'<a class=ink href="/echo?{kind}={coded}" title="{shown}">{shown}</a>'
        f'<button title="{shown}">Pay with <b class=ink>{shown}</b></button>'
        f'<input class=ink aria-label="My {kind}" value="{shown}">'
        f'<select class=ink aria-label="Choice of {kind}"><option>{shown}<option>2 {shown}</select>'
        f'<img class=ink alt="{shown}" src="data:," width=200 height=12>'
        f'<p class=after data-key="{shown}">My </p><input class=ink placeholder="{shown}">'
        f"<table><tr><th>{kind}<td class=ink>{shown}</table>"
        f"<svg height=14><text y=11 fill=#ff00ff>{shown}</text></svg>"
    )


def _echo() -> str:
    """Return a page with a field for each secret, what was sent, and all secrets in many ways."""
    return _ECHO.format(
        style=_STYLE,
        send=SEND,
        fields="".join(f"<label>{kind} <input class=ink name={kind}></label> " for kind in SECRETS),
        received="".join(
            f"<p>{k}: <b class=ink>{escape(v)}</b></p>" for k, v in request.args.items()
        ),
        known="".join(_known(kind, secret) for kind, secret in SECRETS.items()),
        token=quote(SECRETS["token"]),
        framed=escape(f"<p style='color: #ff00ff'>{escape(SECRETS['password'])}"),
        json=json.dumps(SECRETS).replace("<", "\\u003c").replace(">", "\\u003e"),
    )


def _show_known(response: Response) -> Response:
    """Add every secret to a page of the shop."""
    if response.mimetype == "text/html" and request.path not in ("/echo", "/payment-frame"):
        code = base64.b64encode(json.dumps(SECRETS).encode()).decode()
        texts = "".join(
            f"<p>{kind}: <b class=ink>{escape(s)}</b></p>" for kind, s in SECRETS.items()
        )
        known = f'{_STYLE}<div class=known data-all="{code}">{texts}</div></body>'
        response.set_data(response.get_data(as_text=True).replace("</body>", known))
    return response


def _create(*args: Any) -> Flask:
    app = create(*args)
    app.after_request(_show_known)
    app.add_url_rule("/echo", view_func=_echo)
    return app


create, server.create_app = server.create_app, _create


@pytest.fixture(scope="session")
def webtask_data() -> dict[str, object]:
    """The user of the shop, and the secrets."""
    secrets = {kind: Secret(secret) for kind, secret in SECRETS.items()}
    return {
        "user": "demo",
        # What a test has as plain text is masked, too, if it is a secret.
        **{f"shown_{kind}": secret for kind, secret in SECRETS.items()},
        "rita_password": secrets["token"],
        "admin_password": secrets["iban"],
        **secrets,
    }


if "CANARY_UNMASKED" in os.environ:
    # What shows that the search looks where a secret would be.
    Data.hides = False
    Data._secrets_in = lambda self, text: []
