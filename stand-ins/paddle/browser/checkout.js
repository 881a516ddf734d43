/* Runs in the checkout's frame, and reports to the page around it. */
(() => {
  const view = document.querySelector('[data-event]');
  if (!view) return;
  const report = (name, detail) => parent.postMessage({ source: 'paddle-stand-in', name, detail }, location.origin);
  const close = () => report('checkout.closed');
  report(view.dataset.event, view.dataset.detail);
  document.querySelector('[data-close]').addEventListener('click', close);
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  view.addEventListener('submit', () => {
    view.querySelector('button').disabled = true;
  });
})();
