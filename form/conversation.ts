/*
 * Runs in a visitor's private page, which is complete without it. Shows the buttons that need a script, and reports that the team's
 * messages on it were seen once the page is visible.
 */

const address = document.querySelector<HTMLInputElement>('#link');
const copy = document.querySelector<HTMLButtonElement>('#copy');
const share = document.querySelector<HTMLButtonElement>('#share');
const copied = document.querySelector('#copied');

if (address && copy && share && copied) {
  copy.hidden = !navigator.clipboard;
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(address.value);
    copied.textContent = copy.dataset['done'] ?? '';
  });
  share.hidden = !('share' in navigator);
  // A visitor who closes the sheet has changed their mind.
  share.addEventListener('click', () => void navigator.share({ url: address.value }).catch(() => undefined));
  address.addEventListener('focus', () => address.select());
}

document.addEventListener('visibilitychange', reportSeen);
reportSeen();

function reportSeen(): void {
  if (document.visibilityState !== 'visible') return;
  document.removeEventListener('visibilitychange', reportSeen);
  const newest = [...document.querySelectorAll<HTMLTimeElement>('.team time')].pop();
  if (newest) navigator.sendBeacon(`${location.pathname}/seen?until=${encodeURIComponent(newest.dateTime)}`);
}
