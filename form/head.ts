/**
 * Runs in the page's head before the first paint. The form has the theme chosen in the dashboard on this device, or else the
 * device's (docs/rules.md#theme-of-the-form). The stored value may be anything, and storage may be forbidden.
 *
 * A page whose history entry has a visit stays hidden (form.css) until early.ts has continued it: a browser may paint before it has
 * read the whole page.
 */
export const HEAD_SCRIPT = `(function(t,d){try{t=JSON.parse(localStorage.getItem('afterword')).state;t=t.chosen&&t.theme}catch(e){t=0}if(t?t=='dark':matchMedia('(prefers-color-scheme:dark)').matches)d.theme='dark';if((history.state||{}).key)d.resuming=''})(0,document.documentElement.dataset)`;
