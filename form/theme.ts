/**
 * Runs in the page's head, before anything is painted. The form is light; where the dashboard keeps a dark theme on this
 * device, it is dark (docs/rules.md#theme-of-the-form). What is stored may be anything, and storage forbidden.
 */
export const THEME_SCRIPT = `try{if(JSON.parse(localStorage.getItem('afterword')).state.theme=='dark')document.documentElement.dataset.theme='dark'}catch{}`;
