import { EMBED_FIELD, RATING_FIELD, THEME_FIELD, VISIT_FIELD } from '#contract/form/form-page.ts';
import { AMEND_WINDOW } from '#contract/form/submission.ts';
import { minified } from './minified.ts';
import { USED_MAIL } from './offline/outbox.ts';

/** Time that a page is in view before its rating is saved (ms). */
const IN_VIEW = 1_000;

/**
 * Runs before the early script in a page that was opened from a face in a mail (docs/rules.md#faces-in-a-mail). It gives the page the key
 * of an earlier face of the same mail, waits for a sign of a person, and then taps the chosen face. It changes the text of the props, not
 * their element, because that needs no trusted type. Until the tap, the props say that the face was given, so that nothing sends it.
 */
export const MAIL_SCRIPT = minified(`
(function (checked, data) {
  if (!checked || !data) return;
  var rating = checked.value, address = new URL(location), props = JSON.parse(data.data), used, timer;
  ['${RATING_FIELD}', '${EMBED_FIELD}', '${THEME_FIELD}'].forEach(function (name) { address.searchParams.delete(name); });
  try { used = JSON.parse(localStorage.getItem('${USED_MAIL}')); } catch (forbidden) {}
  if (used && used.address == address.href && Date.now() - used.since < ${AMEND_WINDOW}) props.submissionKey = used.key;
  else used = { address: address.href };
  data.data = JSON.stringify(props);
  var listeners = { visibilitychange: look, prerenderingchange: look, focus: look, blur: look, click: act, keydown: act, wheel: act };
  for (var name in listeners) addEventListener(name, listeners[name], true);
  look();
  function look() {
    clearTimeout(timer);
    if (document.visibilityState == 'visible' && !document.prerendering && document.hasFocus() && !navigator.webdriver) timer = setTimeout(save, ${IN_VIEW});
  }
  function act(event) {
    var face = event.target.closest && event.target.closest('.face');
    if (!event.isTrusted) return;
    if (face && face.firstChild.value != rating) finish();
    else save();
  }
  function finish() {
    clearTimeout(timer);
    for (var name in listeners) removeEventListener(name, listeners[name], true);
    var shown = new URL(location);
    shown.searchParams.delete('${RATING_FIELD}');
    shown.searchParams.delete('${VISIT_FIELD}');
    history.replaceState(history.state, '', shown);
    used.key = history.state.key;
    used.since = used.since || Date.now();
    try { localStorage.setItem('${USED_MAIL}', JSON.stringify(used)); } catch (forbidden) {}
    props.given = [];
    data.data = JSON.stringify(props);
    if (!props.test) fetch('/api/data', { method: 'POST', keepalive: true, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ service: 'view', action: 'track', formId: props.formId }) }).catch(function () {});
  }
  function save() {
    finish();
    var face = document.querySelector('[data-rating="' + rating + '"]');
    face.checked = false;
    face.click();
  }
})(document.querySelector('[data-rating]:checked'), (document.getElementById('props') || {}).firstChild);
`);
