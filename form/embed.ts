import { THEME_FIELD } from '#contract/form/form-page.ts';
import { minified } from './minified.ts';

/**
 * Runs in the head of a page in another site's frame. It takes the theme in the address, and sends the page around it the height of the
 * content whenever that changes, and that Escape was pressed, which a frame would keep to itself (embed/embed.ts).
 */
export const EMBED_SCRIPT = minified(`
(function (root, theme) {
  if (theme) root.dataset.theme = theme[1];
  function send(message) { parent.postMessage({ afterword: message }, '*'); }
  new ResizeObserver(function () { send(Math.ceil(root.getBoundingClientRect().height)); }).observe(root);
  addEventListener('keydown', function (event) { if (event.key == 'Escape') send('close'); });
})(document.documentElement, /[?&]${THEME_FIELD}=(light|dark)(?:&|$)/.exec(location.search));
`);
