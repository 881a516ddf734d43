/*
 * A stand-in for Paddle.js: the part of it that opens a checkout for a transaction. The checkout is a page of this sandbox in a frame
 * over the seller's page. Neither markup nor style attributes are written, so that it runs under a strict content security policy.
 */
(() => {
  const base = new URL('.', document.currentScript.src);
  const SOURCE = 'paddle-sandbox';
  let settings = {};
  let eventCallback;
  /** The checkout that is open: its parts, what it said last, and what had the focus before. */
  let checkout;

  const Paddle = {
    Initialized: false,
    Version: 'v1',
    Status: { libraryVersion: 'sandbox' },
    Environment: { set() {} },
    Initialize(options = {}) {
      if (!options.token && !options.seller) throw new Error('Paddle.Initialize needs a token or a seller.');
      Paddle.Initialized = true;
      Paddle.Update(options);
      const transactionId = new URLSearchParams(location.search).get('_ptxn');
      if (transactionId) whenParsed(() => open({ transactionId }));
    },
    Update(options = {}) {
      if ('eventCallback' in options) eventCallback = options.eventCallback;
      if (options.checkout?.settings) settings = options.checkout.settings;
    },
    Checkout: { open, close, updateCheckout() {}, updateItems() {} },
    Spinner: { show() {}, hide() {} },
  };
  window.PaddleBillingV1 = Paddle;
  addEventListener('message', hear);

  function open({ transactionId, settings: own } = {}) {
    if (!Paddle.Initialized) throw new Error('Call Paddle.Initialize first.');
    remove();
    const chosen = { ...settings, ...own };
    if (!transactionId) {
      tell({
        name: 'checkout.error',
        type: 'request_error',
        code: 'bad_request',
        detail: 'This sandbox opens checkouts for a transaction only.',
        documentation_url: 'https://developer.paddle.com/paddle-js/methods/paddle-checkout-open',
      });
      return;
    }
    const address = new URL(`checkout/${encodeURIComponent(transactionId)}`, base);
    if (chosen.theme) address.searchParams.set('theme', chosen.theme);
    checkout = { ...build(address.href), chosen, data: undefined, focused: document.activeElement };
  }

  function close() {
    if (!checkout) return;
    const { data } = checkout;
    remove();
    tell({ name: 'checkout.closed', data });
  }

  function build(address) {
    const cover = document.createElement('div');
    cover.setAttribute('role', 'dialog');
    cover.setAttribute('aria-modal', 'true');
    cover.setAttribute('aria-label', 'Checkout');
    Object.assign(cover.style, {
      position: 'fixed',
      inset: '0',
      zIndex: '2147483000',
      display: 'grid',
      placeItems: 'center',
      background: 'rgb(10 10 14 / 65%)',
    });
    const frame = document.createElement('iframe');
    frame.title = 'Checkout (test mode)';
    const isWide = innerWidth >= 560 && innerHeight >= 560;
    Object.assign(frame.style, {
      width: isWide ? '30rem' : '100%',
      height: isWide ? 'min(50rem, calc(100% - 3rem))' : '100%',
      border: '0',
      borderRadius: isWide ? '12px' : '0',
    });
    frame.src = address;
    cover.append(frame);
    // Nothing behind it is reached by keyboard or a screen reader meanwhile.
    const behind = [...document.body.children].filter((each) => !each.inert);
    for (const each of behind) each.inert = true;
    document.body.append(cover);
    frame.addEventListener('load', () => frame.focus());
    return { cover, frame, behind };
  }

  function remove() {
    if (!checkout) return;
    const { cover, behind, focused } = checkout;
    checkout = undefined;
    cover.remove();
    for (const each of behind) each.inert = false;
    focused?.focus?.();
  }

  /** What the page in the frame says, and nobody else. */
  function hear({ source, origin, data: message }) {
    if (!checkout || source !== checkout.frame.contentWindow || origin !== base.origin || message?.source !== SOURCE) return;
    if (message.closes) {
      close();
      return;
    }
    const { event } = message;
    if (event.data) checkout.data = event.data;
    tell(event);
    const { successUrl } = checkout?.chosen ?? {};
    if (event.name === 'checkout.completed' && successUrl) location.assign(successUrl);
  }

  function tell(event) {
    eventCallback?.(event);
  }

  function whenParsed(work) {
    if (document.body) work();
    else addEventListener('DOMContentLoaded', work, { once: true });
  }
})();
