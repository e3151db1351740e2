// The checkout: the total with delivery, the card that the frame reports, and the greeting card.

const money = (cents) => `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;

const totals = document.querySelector(".totals");
const radios = document.querySelectorAll('input[name="delivery"]');
function showTotal() {
  const chosen = document.querySelector('input[name="delivery"]:checked');
  if (!chosen) return;
  const shipping = Number(chosen.dataset.price);
  document.getElementById("shipping").textContent = money(shipping);
  document.getElementById("total").textContent = money(Number(totals.dataset.total) + shipping);
}
for (const radio of radios) radio.addEventListener("change", showTotal);
showTotal();

const frame = document.querySelector("iframe");
window.addEventListener("message", (event) => {
  if (event.origin !== location.origin || event.source !== frame.contentWindow) return;
  if (event.data.type === "card-saved") {
    document.querySelector('input[name="card_token"]').value = event.data.token;
    document.querySelector(".card-status").textContent = `Card ending in ${event.data.last4} is ready.`;
  } else if (event.data.type === "height") {
    frame.style.height = `${event.data.height}px`;
  }
});

const area = document.getElementById("drawing");
const canvas = area.querySelector("canvas");
const pen = canvas.getContext("2d");
const picture = area.querySelector('input[name="drawing"]');
const strokes = area.querySelector('input[name="strokes"]');
let drawing = false;

function showStrokes(count) {
  strokes.value = count;
  area.querySelector("[role=status]").textContent = `${count} ${count === 1 ? "stroke" : "strokes"} drawn`;
}

function place(event) {
  const box = canvas.getBoundingClientRect();
  return [(event.clientX - box.left) * (canvas.width / box.width), (event.clientY - box.top) * (canvas.height / box.height)];
}

function wipe() {
  pen.fillStyle = "#fffdf8";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  Object.assign(pen, { lineWidth: 3, lineCap: "round", lineJoin: "round", strokeStyle: "#8f3f1e" });
}

canvas.addEventListener("pointerdown", (event) => {
  drawing = true;
  canvas.setPointerCapture(event.pointerId);
  pen.beginPath();
  pen.moveTo(...place(event));
});
canvas.addEventListener("pointermove", (event) => {
  if (!drawing) return;
  pen.lineTo(...place(event));
  pen.stroke();
});
for (const kind of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(kind, () => {
    if (!drawing) return;
    drawing = false;
    picture.value = canvas.toDataURL("image/png");
    showStrokes(Number(strokes.value) + 1);
  });
}
area.querySelector("button").addEventListener("click", () => {
  wipe();
  picture.value = "";
  showStrokes(0);
});

wipe();
if (picture.value) {
  const earlier = new Image();
  earlier.onload = () => pen.drawImage(earlier, 0, 0);
  earlier.src = picture.value;
}
showStrokes(Number(strokes.value) || 0);
