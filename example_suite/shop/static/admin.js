// The administrator's pages: the edit dialog, the question before a deletion, statuses, and drag and drop.

async function send(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-CSRF-Token": document.querySelector('meta[name="csrf-token"]').content,
    },
    body: JSON.stringify(body),
  });
  const result = await answer.json().catch(() => ({}));
  return answer.ok ? result.message : result.error || "That could not be saved.";
}

function say(text) {
  document.getElementById("status").textContent = text;
}

const dialog = document.querySelector("dialog");
for (const button of document.querySelectorAll("[data-edit]")) {
  button.addEventListener("click", () => {
    const form = dialog.querySelector("form");
    form.action = button.dataset.edit;
    form.elements.price.value = button.dataset.price;
    form.elements.stock.value = button.dataset.stock;
    dialog.querySelector("h2").textContent = `Edit ${button.dataset.name}`;
    dialog.showModal();
  });
}
dialog?.querySelector("[data-close]").addEventListener("click", () => dialog.close());

for (const form of document.querySelectorAll("[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}

for (const select of document.querySelectorAll("[data-status]")) {
  select.addEventListener("change", async () => say(await send(select.dataset.status, { status: select.value })));
}

const list = document.querySelector(".sortable");
if (list) {
  let dragged = null;
  const save = async () => {
    const ids = [...list.children].map((item) => Number(item.dataset.id));
    say(await send(list.dataset.url, { ids }));
  };
  const itemAt = (event) => event.target.closest("li");

  list.addEventListener("dragstart", (event) => {
    dragged = itemAt(event);
    dragged.classList.add("dragged");
    event.dataTransfer.effectAllowed = "move";
  });
  list.addEventListener("dragover", (event) => {
    if (!dragged) return;
    event.preventDefault();
    for (const item of list.children) item.classList.toggle("target", item === itemAt(event) && item !== dragged);
  });
  list.addEventListener("drop", (event) => {
    const target = itemAt(event);
    if (!dragged || !target || target === dragged) return;
    event.preventDefault();
    const items = [...list.children];
    // Dropped further down it comes after its target, further up before it: so each place can be reached.
    if (items.indexOf(dragged) < items.indexOf(target)) target.after(dragged);
    else target.before(dragged);
    save();
  });
  list.addEventListener("dragend", () => {
    for (const item of list.children) item.classList.remove("dragged", "target");
    dragged = null;
  });
  list.addEventListener("click", (event) => {
    const item = event.target.closest("button") && itemAt(event);
    if (!item || !item.previousElementSibling) return;
    item.previousElementSibling.before(item);
    item.querySelector("button").focus();
    save();
  });
}
