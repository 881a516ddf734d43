/* The page in the checkout's frame: pays by asking the sandbox, and tells the page around it what comes of it. */
(() => {
  const SOURCE = 'paddle-sandbox';
  const main = document.querySelector('main');
  const { event } = JSON.parse(main.dataset.checkout);
  const part = (name) => document.querySelector(`[data-part="${name}"]`);
  const [form, challenge, done, alert] = ['form', 'challenge', 'done', 'alert'].map(part);
  /** What was typed and waits for the bank's question to be answered. */
  let asked;

  for (const button of document.querySelectorAll('[data-closes]')) button.addEventListener('click', close);
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  tell(event);
  if (form) begin();

  function begin() {
    form.addEventListener('submit', (submission) => {
      submission.preventDefault();
      void pay(Object.fromEntries(new FormData(form)));
    });
    for (const button of document.querySelectorAll('[data-number]'))
      button.addEventListener('click', () => {
        form.elements.number.value = button.dataset.number;
        form.elements.name.value ||= 'Test Customer';
        form.requestSubmit();
      });
    for (const button of challenge.querySelectorAll('[data-answer]'))
      button.addEventListener('click', () => void pay({ ...asked, answer: button.dataset.answer }));
  }

  async function pay(fields) {
    say('');
    setBusy(true);
    const answer = await ask(fields);
    setBusy(false);
    const isTried = answer.outcome !== 'invalid' && answer.outcome !== 'failed';
    if (isTried && !fields.answer) tell({ name: 'checkout.payment.initiated', data: event.data });
    show(answer.outcome === 'asked' ? challenge : answer.outcome === 'paid' ? done : form);
    if (answer.outcome === 'asked') asked = fields;
    else if (answer.outcome === 'paid') tell({ name: 'checkout.completed', data: answer.data });
    else refuse(answer);
  }

  async function ask(fields) {
    try {
      const response = await fetch(`${location.pathname}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      });
      return await response.json();
    } catch {
      return { outcome: 'failed', message: 'The payment could not be sent. Check your connection and try again.' };
    }
  }

  function refuse({ outcome, field, message, data }) {
    say(message);
    const input = field && form.elements[field];
    for (const each of form.querySelectorAll('input')) each.removeAttribute('aria-invalid');
    input?.setAttribute('aria-invalid', 'true');
    (input ?? form.querySelector('input')).focus();
    if (outcome === 'declined') tell({ name: 'checkout.payment.failed', data });
  }

  function show(visible) {
    for (const each of [form, challenge, done]) each.hidden = each !== visible;
    visible.querySelector('h2')?.focus();
  }

  function setBusy(isBusy) {
    for (const button of document.querySelectorAll('main button:not([data-closes])')) button.disabled = isBusy;
    main.setAttribute('aria-busy', String(isBusy));
  }

  function say(text) {
    alert.textContent = text;
    alert.hidden = text === '';
  }

  function tell(told) {
    if (told) parent.postMessage({ source: SOURCE, event: told }, location.origin);
  }

  function close() {
    parent.postMessage({ source: SOURCE, closes: true }, location.origin);
  }
})();
