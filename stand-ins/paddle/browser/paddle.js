/*
 * Stands in for Paddle.js: opens the checkout of a transaction in a frame over the seller's page. It writes no markup and no style
 * attribute, so it works under a strict content security policy.
 */
(() => {
  const base = new URL('.', document.currentScript.src);
  let report = () => undefined;
  let dialog;

  window.PaddleBillingV1 = {
    Environment: { set: () => undefined },
    Initialize(options) {
      report = options.eventCallback;
      const transactionId = new URLSearchParams(location.search).get('_ptxn');
      if (transactionId) open({ transactionId });
    },
    Checkout: { open, close },
  };

  addEventListener('message', ({ source, origin, data }) => {
    const isOurs = origin === base.origin && source === dialog?.firstChild.contentWindow && data?.source === 'paddle-stand-in';
    if (isOurs && data.name === 'checkout.closed') close();
    else if (isOurs) report({ name: data.name, detail: data.detail });
  });

  function open({ transactionId }) {
    remove();
    const frame = document.createElement('iframe');
    frame.title = 'Checkout (test mode)';
    frame.src = new URL(`checkout/${encodeURIComponent(transactionId)}`, base).href;
    frame.addEventListener('load', () => frame.focus());
    frame.style.cssText = 'width: min(28rem, 100%); height: min(34rem, 100%); border: 0';
    dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', 'Checkout');
    dialog.addEventListener('cancel', close);
    dialog.style.cssText =
      'display: grid; place-items: center; width: 100%; height: 100%; max-width: none; max-height: none; padding: 0; border: 0; background: #0a0a0ea6';
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
  }

  function close() {
    if (!dialog) return;
    remove();
    report({ name: 'checkout.closed' });
  }

  function remove() {
    dialog?.close();
    dialog?.remove();
    dialog = undefined;
  }
})();
