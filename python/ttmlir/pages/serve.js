// Fields of a layout that can be changed: this page's server answers with the layout, or says what is
// wrong with it, and the page keeps what it shows.

function askServer() {
  const form = byId("inputs");
  form.hidden = false;
  for (const { name, value, choices } of data.fields) {
    const field = choices.length
      ? element("select", { name }, ...choices.map((choice) => element("option", { value: choice, selected: choice === value }, choice || "default")))
      : element("input", { name, value, size: 14 });
    form.append(element("label", {}, name.replace("_", " "), field));
  }
  let last = 0;
  const ask = async () => {
    const turn = last += 1;
    const failed = byId("error");
    try {
      const answer = await fetch(`/layout?${new URLSearchParams(new FormData(form))}`);
      const found = await answer.json();
      if (turn !== last) return; // A later change is on its way.
      failed.hidden = answer.ok;
      failed.textContent = found.error ?? "";
      if (answer.ok) show(found);
    } catch (error) {
      failed.hidden = false;
      failed.textContent = `The server of this page does not answer: ${error.message}`;
    }
  };
  form.addEventListener("change", ask);
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
}
