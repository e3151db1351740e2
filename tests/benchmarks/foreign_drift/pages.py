"""The pages: what is served, and which one a test visits."""

from __future__ import annotations

from tests.benchmarks.foreign_drift.serving import ForeignPage

_CONTROL = """
const pressed = (act) => document.addEventListener("click", (e) => {
  const control = e.target.closest("a, button, input[type=submit], [role=button], [role=link]");
  if (!control) return;
  const text = (control.value || control.textContent).replace(/\\s+/g, " ").trim();
  act(control, text, () => e.preventDefault());
});
const tell = (place, message) => {
  document.querySelector("#told")?.remove();
  document.querySelector(place).insertAdjacentHTML("beforebegin", `<p role="status" id="told"></p>`);
  document.querySelector("#told").textContent = message;
};
"""
_BILLING = (
    _CONTROL
    + """
pressed((control, text, stop) => {
  const item = control.closest("li, [role=listitem]");
  const name = item?.querySelector("h6, [role=heading]")?.textContent.trim();
  if (/Delete$/.test(text) && item) { stop(); item.remove(); tell("main .row", `${name} was deleted`); }
  if (/PDF$/.test(text) && item)
    tell("main .row", `The invoice of ${name} is being printed`);
});
"""
)
_PEOPLE = (
    _CONTROL
    + """
const name = (card) => card.querySelector("h3, [role=heading]").textContent.replace(/\\s+/g, " ").trim();
pressed((control, text, stop) => {
  const card = control.closest(".card");
  if (!card || !["Call", "Email"].includes(text)) return;
  stop();
  tell(".page-body", `${text === "Call" ? "Calling" : "Writing to"} ${name(card)}`);
});
document.addEventListener("input", (e) => {
  if (e.target.type !== "search") return;
  for (const card of document.querySelectorAll(".page-body .card"))
    card.parentNode.style.display =
      card.textContent.toLowerCase().includes(e.target.value.toLowerCase()) ? "" : "none";
});
"""
)
_PROJECT = (
    _CONTROL
    + """
const [title, , status, client] = document.querySelectorAll(".card-primary .form-control");
const budget = document.querySelector(".card-secondary .form-control");
pressed((control, text, stop) => {
  if (!/Create/.test(text)) return;
  stop();
  tell("section.content", `${title.value} for ${client.value} (${status.value}, ${budget.value}) was created`);
});
"""
)
_REGISTER = (
    _CONTROL
    + """
const fields = [...document.querySelectorAll("form input")];
pressed((control, text, stop) => {
  if (!control.closest("form")) return;
  stop();
  const [first, last, mail, password, repeated] = fields.map((f) => f.value);
  if (text !== "Register Account") tell("form", `${text} is not open yet`);
  else if (password !== repeated) tell("form", "The passwords are not the same");
  else tell("form", `Welcome, ${first} ${last}! We have written to ${mail}.`);
});
"""
)

_PROFILE = (
    _CONTROL
    + """
const title = (part, css) => part.querySelector(css).textContent.replace(/\\s+/g, " ").trim();
pressed((control, text, stop) => {
  const item = control.closest("li, [role=listitem]");
  const card = control.closest(".card-blog, [data-card]");
  if (text === "Reply") { stop(); tell(".container-fluid.py-4", `Writing to ${title(item, "h6, [role=heading]")}`); }
  if (text === "View Project") { stop(); tell(".container-fluid.py-4", `Opening ${title(card, "h5, [role=heading]")}`); }
});
"""
)
_PROJECTS = (
    _CONTROL
    + """
pressed((control, text, stop) => {
  if (!/action$/i.test(text)) return;
  stop();
  const row = control.closest("tr, [role=row]");
  const part = row.closest(".card, [data-card]").querySelector("h3, [role=heading]").textContent.trim();
  tell(".container-fluid.mt--6", `${text} for ${row.querySelector(".name, [data-name]").textContent.trim()} (${part})`);
});
"""
)


def _gentelella(path: str) -> ForeignPage:
    return ForeignPage(f"production/{path}", "gentelella", "4.2.0", "dist")


def _sb_admin(path: str, life: str = "") -> ForeignPage:
    return ForeignPage(path, "startbootstrap-sb-admin-2", "4.1.4", life=life)


PAGES = {
    "todo": ForeignPage("todo.html"),
    "users": _gentelella("user_management.html"),
    "inbox": _gentelella("inbox.html"),
    "orders": _gentelella("orders.html"),
    "employees": _sb_admin("tables.html"),
    "dashboard": _sb_admin("index.html"),
    "register": _sb_admin("register.html", _REGISTER),
    "billing": ForeignPage("pages/billing.html", "material-dashboard", "3.1.0", life=_BILLING),
    "people": ForeignPage("users.html", "@tabler/preview", "1.2.0", "dist", _PEOPLE),
    "profile": ForeignPage("pages/profile.html", "soft-ui-dashboard", "1.0.1", life=_PROFILE),
    "projects": ForeignPage(
        "examples/tables.html",
        "@creative-tim-official/argon-dashboard-free",
        "1.2.0",
        life=_PROJECTS,
    ),
    "project": ForeignPage("pages/examples/project-add.html", "admin-lte", "3.2.0", life=_PROJECT),
}


def page_of(test: str) -> str:
    """The name of the page that a test visits, the second word of the test's own name."""
    return test.split("_")[1]
