/**
 * Runs in the page's head before the first paint. The form is light, unless the dashboard's theme on this device is dark
 * (docs/rules.md#theme-of-the-form). The stored value may be anything, and storage may be forbidden.
 */
export const THEME_SCRIPT = `try{if(JSON.parse(localStorage.getItem('afterword')).state.theme=='dark')document.documentElement.dataset.theme='dark'}catch{}`;
