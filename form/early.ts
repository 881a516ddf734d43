/**
 * Runs from the page itself, before React has arrived: a visitor with one bar of signal taps a face and walks on.
 * Sends the rating, and where that fails keeps it as outbox.ts would. Steps back as soon as the form is live.
 */
export const EARLY_SCRIPT = minified(`
(function (form) {
  if (!form) return;
  form.addEventListener('change', function (event) {
    var face = event.target, root = document.documentElement;
    if (!face.dataset.rating || 'live' in root.dataset) return;
    var key = form.elements.key.value, path = location.pathname;
    var body = new URLSearchParams({ key: key });
    body.set(face.name, face.value);
    fetch(path, { method: 'POST', body: body, headers: { accept: 'application/json' }, keepalive: true })
      .then(function (answer) {
        if (!answer.ok) throw 0;
        history.replaceState(null, '', path + '?key=' + key);
      })
      .catch(function () {
        var entries = JSON.parse(localStorage.getItem('afterword.outbox') || '[]').filter(function (entry) { return entry.key != key; });
        entries.push({ key: key, formId: path.split('/')[2], kept: Date.now(), responses: [{ uuid: face.name, block: 'EmojiGauge', response: +face.value }] });
        localStorage.setItem('afterword.outbox', JSON.stringify(entries));
      });
  });
})(document.getElementById('experience'));
`);

/** Line breaks and indentation are all there is to save: the names are short already. */
function minified(script: string): string {
  return script.trim().replace(/\n\s*/g, ' ');
}
