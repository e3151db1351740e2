// The page has all content; this script sorts and searches it, and opens failures.
"use strict";
document.documentElement.classList.add("js");
addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);

  // The list of tests

  const list = byId("list");
  if (list) {
    const body = list.tBodies[0];
    const rows = [...body.rows].map((row) => ({
      row,
      text: row.textContent.toLowerCase(),
      cells: [...row.cells].map((cell) => cell.dataset.v ?? cell.textContent.trim()),
    }));
    const heads = all("th", list);
    const names = new Intl.Collator(undefined, { numeric: true });
    const sort = (head, way) => {
      const column = heads.indexOf(head);
      const sign = way === "ascending" ? 1 : -1;
      const compare = (a, b) => a.cells[column] - b.cells[column] || names.compare(a.cells[column], b.cells[column]);
      rows.sort((a, b) => sign * compare(a, b));
      body.append(...rows.map(({ row }) => row));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", way);
    };
    heads.forEach((head, column) => {
      const first = head.classList.contains("number") ? "descending" : "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      if (!column) head.setAttribute("aria-sort", "ascending");
      head.firstElementChild.addEventListener("click", () =>
        sort(head, head.getAttribute("aria-sort") === first ? second : first));
    });

    const search = byId("search");
    const filter = () => {
      const wanted = {};
      all("[data-filter][aria-pressed=true]").forEach(({ dataset }) =>
        (wanted[dataset.filter] ??= []).push(dataset.value));
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const { row, text } of rows) {
        const fits = words.every((word) => text.includes(word)) &&
          ["outcome", "cause"].every((name) => (wanted[name] ?? [row.dataset[name]]).includes(row.dataset[name])) &&
          (!wanted.rerun || "rerun" in row.dataset) &&
          (!wanted.decided || row.dataset.decided.split("|").some((name) => wanted.decided.includes(name)));
        row.hidden = !fits;
        shown += fits;
      }
      const among = shown === rows.length ? "" : `${shown} of `;
      byId("shown").textContent = `${among}${rows.length} test${rows.length === 1 ? "" : "s"}`;
    };
    search.addEventListener("input", filter);
    all("[data-filter]").forEach((chip) => chip.addEventListener("click", () => {
      chip.setAttribute("aria-pressed", chip.getAttribute("aria-pressed") !== "true");
      filter();
    }));
    const details = byId("details");
    details.addEventListener("click", () => {
      details.setAttribute("aria-pressed", !root.classList.toggle("no-details"));
    });
    // A browser that returns to the page restores the search text after this script has run.
    addEventListener("pageshow", () => search.value && filter());
  }

  // Buttons

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button, .frame");
    if (!button) return;
    if (button.dataset.copy) {
      // A page that is no secure context has no clipboard.
      navigator.clipboard?.writeText(button.dataset.copy).then(() => (button.textContent = "Copied"));
    } else if (button.dataset.steps) {
      const open = button.dataset.steps === "open";
      all(".step", document.querySelector(".test.here") ?? document).forEach((step) => (step.open = open));
    } else if (button.matches("[data-zoom], .shot .frame")) {
      enlarge(button.closest(".shot").querySelector(".frame"));
    }
  });

  // The steps in pictures

  const thumb = (step) => step && document.querySelector(`.board a[href="#${CSS.escape(step.id)}-b"]`);
  const setCurrent = (step) => {
    all(".board [aria-current]").forEach((other) => other.removeAttribute("aria-current"));
    const here = thumb(step);
    here?.setAttribute("aria-current", "step");
    here?.parentElement.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const open = (step) => {
    all(".step[open]", step.closest(".steps")).forEach((other) => (other.open = other === step));
    reach(step);
    setCurrent(step);
    step.querySelector("summary").focus({ preventScroll: true });
    step.scrollIntoView();
    history.replaceState(null, "", `#${step.id}`);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".board a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(byId(link.hash.slice(1)).closest(".step"));
  });
  document.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const { target } = event;
    if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target.closest?.("input, pre") || document.querySelector("dialog[open]")) return;
    const test = document.querySelector(document.body.classList.contains("whole") ? ".test.here" : ".test");
    const attempt = target.closest?.(".attempt, .board");
    const of = attempt?.dataset.of ?? (attempt?.id || test?.querySelector(".board")?.dataset.of);
    const steps = of ? all(".step", byId(of)) : [];
    if (!steps.length) return;
    event.preventDefault();
    const here = target.closest?.(".board a") ?? document.querySelector(".board [aria-current]");
    const at = steps.findIndex((step) => here && thumb(step) === here);
    open(steps[at < 0 ? (way > 0 ? 0 : steps.length - 1) : (at + way + steps.length) % steps.length]);
  });

  const enlarge = (frame) => {
    const dialog = document.createElement("dialog");
    const close = document.createElement("button");
    close.textContent = "Close";
    dialog.setAttribute("aria-label", frame.querySelector("img").alt);
    const copy = frame.cloneNode(true);
    copy.querySelector("img").removeAttribute("id");
    dialog.append(close, copy);
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  // Failures are open. Scroll to the first one, unless the address has a fragment.

  const whole = document.body.classList.contains("whole");
  const title = document.title;
  const reach = (element) => {
    for (let at = element; at; at = at.parentElement) if (at.matches("details")) at.open = true;
  };
  const go = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* The fragment is not an id. */ }
    const wanted = id ? byId(id) : null;
    if (wanted?.id === "main" && document.readyState === "complete") return;
    let test = document.querySelector(".test");
    if (whole) {
      test = wanted?.closest(".test") ?? null;
      all(".test.here").forEach((other) => other.classList.remove("here"));
      test?.classList.add("here");
      document.body.classList.toggle("at-test", Boolean(test));
      document.body.classList.toggle("at-overview", !test);
      document.title = test ? test.querySelector("h1").textContent : title;
      if (!test) return;
    }
    if (wanted && wanted !== test) {
      reach(wanted);
      wanted.scrollIntoView();
    } else if (test) {
      if (whole) scrollTo(0, 0);
      // The error above the steps says more than the first failed step alone.
      const first = test.querySelector(".wrongs") ? null : test.querySelector("[data-first]");
      first?.scrollIntoView();
      if (whole) test.focus({ preventScroll: true });
    }
    if (!test) return;
    setCurrent(wanted?.closest(".step") ?? test.querySelector("[data-first]"));
  };
  addEventListener("hashchange", go);
  const [how] = performance.getEntriesByType("navigation");
  if (whole || how?.type !== "back_forward") go();
});
