import { CHANGED_FIELD, LANGUAGE_FIELD } from '#contract/form/form-page.ts';
import { AMEND_WINDOW } from '#contract/form/submission.ts';
import { minified } from './minified.ts';

/**
 * Runs before React has loaded, because a visitor with a weak signal may tap a face and leave.
 *
 * Continues the visit in this page's history entry (visit.ts), or starts one with the page's key, and removes a key from the address. It
 * also starts one when the same address is opened again, where some browsers keep the entry. It fills the fields from the visit, so that
 * nothing moves on hydration. Another language's link reloads the page in the same entry. Until hydration it stores a rating as
 * offline/outbox.ts does, sends it (with a new key if the visit's hour is over), removes it once the server has accepted it, unless another
 * was chosen since, and marks a native post as one with JavaScript.
 */
export const EARLY_SCRIPT = minified(`
(function (form, props) {
  if (!props) return;
  props = JSON.parse(props.textContent);
  var root = document.documentElement.dataset, path = location.pathname, query = location.search, visit = history.state || {};
  var way = performance.getEntriesByType('navigation')[0] || {};
  function field(name, shape) { return (query.match('[?&]' + name + '=(' + shape + ')(&|$)') || [])[1]; }
  function isOver() { return Date.now() - visit.since > ${AMEND_WINDOW}; }
  function remember() { history.replaceState(visit, '', /[?&]key=/.test(query) ? path : undefined); }
  if (visit.key && way.type != 'navigate' && !isOver()) visit.isResumed = true;
  else visit = {
    key: props.submissionKey, since: props.since, isNew: isOver(),
    userId: field('userId', '[\\\\w.~-]{1,64}'), at: field('at', '[A-Za-z0-9]{10}'), ref: field('ref', '[\\\\w.-]{1,40}[.][\\\\w-]{16}'), test: props.test
  };
  remember();
  document.addEventListener('click', function (event) {
    var link = event.target.closest('.languages a');
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    var address = new URL(location);
    address.searchParams.set('${LANGUAGE_FIELD}', link.hreflang);
    history.replaceState(history.state, '', address);
    location.reload();
  });
  var changes = visit.isResumed && (visit.screen == 'done' || (visit.left || '').length);
  if (!changes) delete root.resuming;
  if (!form) return;
  var fields = form.elements;
  fields.key.value = visit.key;
  (visit.given || []).forEach(function (given) {
    var response = given.response, field = fields[given.uuid];
    if (!field) return;
    field.value = response.answer || response;
    if (response.answer) for (var part in response) if (fields[given.uuid + '.' + part]) fields[given.uuid + '.' + part].value = response[part];
  });
  form.addEventListener('formdata', function (event) { event.formData.set('script', 1); });
  form.addEventListener('change', function (event) {
    var face = event.target;
    if (!face.dataset.rating || 'live' in root) return;
    if (isOver()) {
      visit = { key: crypto.getRandomValues(new Uint8Array(16)).reduce(function (hex, byte) { return hex + (byte + 256).toString(16).slice(1); }, ''), isNew: true, userId: visit.userId, at: visit.at, ref: visit.ref, test: visit.test };
      fields.key.value = visit.key;
    }
    var answer = { uuid: face.name, block: 'EmojiGauge', response: +face.value }, key = visit.key;
    var changed = Math.max(Date.now(), Math.round(performance.timeOrigin + performance.now()));
    visit.since = visit.since || Date.now();
    visit.given = (visit.given || []).filter(function (given) { return given.uuid != face.name; }).concat(answer);
    remember();
    var body = new URLSearchParams({ key: key, version: props.version, ${LANGUAGE_FIELD}: props.language, ${CHANGED_FIELD}: changed });
    ['userId', 'at', 'ref'].forEach(function (name) { if (visit[name]) body.set(name, visit[name]); });
    if (visit.test) body.set('test', 1);
    body.set(face.name, face.value);
    var entry = { key: key, formId: path.split('/')[2], formVersion: props.version, language: props.language, kept: Date.now(), changed: changed, responses: [answer], userId: visit.userId, at: visit.at, ref: visit.ref, test: visit.test };
    store([entry]);
    fetch(path, { method: 'POST', body: body, headers: { accept: 'application/json' }, keepalive: true })
      .then(function (answered) { if (answered.ok && /json/.test(answered.headers.get('content-type')) && !('live' in root)) store([]); })
      .catch(function () {});
    function store(entries) {
      try {
        var others = JSON.parse(localStorage.getItem('afterword.outbox') || '[]').filter(function (stored) { return stored.key != key || stored.changed > changed; });
        localStorage.setItem('afterword.outbox', JSON.stringify(others.concat(entries)));
      } catch (refused) {}
    }
  });
})(document.getElementById('experience'), document.getElementById('props'));
`);
