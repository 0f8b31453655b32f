// "Start over", with a question in the page before anything is forgotten.

const byId = (id) => document.getElementById(id);

export function wireStartOver(onReset) {
  const button = byId("reset");
  const confirm = byId("reset-confirm");
  const ask = (open) => {
    confirm.hidden = !open;
    button.hidden = open;
    (open ? byId("reset-no") : button).focus();
  };
  byId("startover").hidden = false;
  button.addEventListener("click", () => ask(true));
  byId("reset-no").addEventListener("click", () => ask(false));
  byId("reset-yes").addEventListener("click", () => {
    ask(false);
    onReset();
  });
}
