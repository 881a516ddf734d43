/**
 * Runs in the page's head before the first paint. The form has the theme chosen in the dashboard on this device, or else the
 * device's (docs/rules.md#theme-of-the-form). The stored value may be anything, and storage may be forbidden.
 */
export const THEME_SCRIPT = `(function(t){try{t=JSON.parse(localStorage.getItem('afterword')).state;t=t.chosen&&t.theme}catch(e){t=0}if(t?t=='dark':matchMedia('(prefers-color-scheme:dark)').matches)document.documentElement.dataset.theme='dark'})()`;
