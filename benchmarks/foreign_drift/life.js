// What the controls do that do nothing in their packages, by page. The page's own is run where it ends.
const pressed = (act) => document.addEventListener("click", (e) => {
  const control = e.target.closest("a, button, input[type=submit], [role=button], [role=link]");
  if (!control) return;
  const text = (control.value || control.textContent).replace(/\s+/g, " ").trim();
  act(control, text, () => e.preventDefault());
});
const tell = (place, message) => {
  document.querySelector("#told")?.remove();
  document.querySelector(place).insertAdjacentHTML("beforebegin", `<p role="status" id="told"></p>`);
  document.querySelector("#told").textContent = message;
};
const lives = {
  billing() {
    pressed((control, text, stop) => {
      const item = control.closest("li, [role=listitem]");
      const name = item?.querySelector("h6, [role=heading]")?.textContent.trim();
      if (/Delete$/.test(text) && item) { stop(); item.remove(); tell("main .row", `${name} was deleted`); }
      if (/PDF$/.test(text) && item)
        tell("main .row", `The invoice of ${name} is being printed`);
    });
  },
  people() {
    const name = (card) => card.querySelector("h3, [role=heading]").textContent.replace(/\s+/g, " ").trim();
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
  },
  project() {
    const [title, , status, client] = document.querySelectorAll(".card-primary .form-control");
    const budget = document.querySelector(".card-secondary .form-control");
    pressed((control, text, stop) => {
      if (!/Create/.test(text)) return;
      stop();
      tell("section.content", `${title.value} for ${client.value} (${status.value}, ${budget.value}) was created`);
    });
  },
  register() {
    const fields = [...document.querySelectorAll("form input")];
    pressed((control, text, stop) => {
      if (!control.closest("form")) return;
      stop();
      const [first, last, mail, password, repeated] = fields.map((f) => f.value);
      if (text !== "Register Account") tell("form", `${text} is not open yet`);
      else if (password !== repeated) tell("form", "The passwords are not the same");
      else tell("form", `Welcome, ${first} ${last}! We have written to ${mail}.`);
    });
  },
  profile() {
    const title = (part, css) => part.querySelector(css).textContent.replace(/\s+/g, " ").trim();
    pressed((control, text, stop) => {
      const item = control.closest("li, [role=listitem]");
      const card = control.closest(".card-blog, [data-card]");
      if (text === "Reply") { stop(); tell(".container-fluid.py-4", `Writing to ${title(item, "h6, [role=heading]")}`); }
      if (text === "View Project") { stop(); tell(".container-fluid.py-4", `Opening ${title(card, "h5, [role=heading]")}`); }
    });
  },
  projects() {
    pressed((control, text, stop) => {
      if (!/action$/i.test(text)) return;
      stop();
      const row = control.closest("tr, [role=row]");
      const part = row.closest(".card, [data-card]").querySelector("h3, [role=heading]").textContent.trim();
      tell(".container-fluid.mt--6", `${text} for ${row.querySelector(".name, [data-name]").textContent.trim()} (${part})`);
    });
  },
};

lives[LIFE]();

