// What several pages need: a select that sends its form, tabs, and sections that load late.

for (const select of document.querySelectorAll("select[data-submit]")) {
  select.addEventListener("change", () => select.form.submit());
}

for (const list of document.querySelectorAll('[role="tablist"]')) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];
  const open = (wanted) => {
    for (const tab of tabs) {
      const chosen = tab === wanted;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) open(tab);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    open(next);
    next.focus();
  });
}

async function load(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The shop answered ${answer.status}.`);
  return answer.json();
}

for (const element of document.querySelectorAll("[data-late]")) {
  load(element.dataset.late)
    .then(([product]) => {
      element.textContent = product.text;
      element.classList.add(product.text === "Out of stock" ? "out" : "in");
    })
    .catch(() => { element.textContent = "Availability could not be checked."; });
}

for (const section of document.querySelectorAll("[data-late-list]")) {
  const status = section.querySelector("[role=status]");
  load(section.dataset.lateList)
    .then((products) => {
      for (const product of products) {
        const item = document.createElement("li");
        item.textContent = `${product.name}: ${product.text}`;
        section.querySelector("ul").append(item);
      }
      status.textContent = `${products.length} products checked.`;
      status.classList.remove("loading");
    })
    .catch(() => { status.textContent = "The stock could not be checked."; })
    .finally(() => section.removeAttribute("aria-busy"));
}
