import { AMEND_WINDOW } from '#contract/submission.ts';

/**
 * Runs from the page itself, before React has arrived: a visitor with one bar of signal taps a face and walks on.
 *
 * Finds the visit that this page's history entry remembers (visit.ts), or begins one with the page's key, and takes a key out
 * of the address. Some browsers leave an entry as it is where the same address is opened anew: that begins a visit, too. Until the form is live it sends the rating, keeps it as outbox.ts would where that fails, and says beside a
 * native post that script runs.
 */
export const EARLY_SCRIPT = minified(`
(function (form, props) {
  if (!props) return;
  var path = location.pathname, visit = history.state || {}, isOver = Date.now() - visit.since > ${AMEND_WINDOW};
  var way = performance.getEntriesByType('navigation')[0] || {};
  if (visit.key && way.type != 'navigate' && !isOver) visit.isResumed = true;
  else visit = { key: JSON.parse(props.textContent).submissionKey, isNew: isOver };
  function remember() { history.replaceState(visit, '', /[?&]key=/.test(location.search) ? path : undefined); }
  remember();
  if (!form) return;
  form.elements.key.value = visit.key;
  (visit.given || []).forEach(function (one) {
    if (one.block == 'EmojiGauge') form.querySelector('[data-rating="' + one.response + '"]').checked = true;
  });
  form.addEventListener('formdata', function (event) { event.formData.set('script', 1); });
  form.addEventListener('change', function (event) {
    var face = event.target;
    if (!face.dataset.rating || 'live' in document.documentElement.dataset) return;
    var answer = { uuid: face.name, block: 'EmojiGauge', response: +face.value }, key = visit.key;
    visit.since = visit.since || Date.now();
    visit.given = (visit.given || []).filter(function (one) { return one.uuid != face.name; }).concat(answer);
    remember();
    var body = new URLSearchParams({ key: key });
    body.set(face.name, face.value);
    fetch(path, { method: 'POST', body: body, headers: { accept: 'application/json' }, keepalive: true })
      .then(function (answered) { if (!answered.ok) throw 0; })
      .catch(function () {
        var entries = JSON.parse(localStorage.getItem('afterword.outbox') || '[]').filter(function (entry) { return entry.key != key; });
        entries.push({ key: key, formId: path.split('/')[2], kept: Date.now(), responses: [answer] });
        localStorage.setItem('afterword.outbox', JSON.stringify(entries));
      });
  });
})(document.getElementById('experience'), document.getElementById('props'));
`);

/** Line breaks and indentation are all there is to save: the names are short already. */
function minified(script: string): string {
  return script.trim().replace(/\n\s*/g, ' ');
}
