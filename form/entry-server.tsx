import { renderToString } from 'react-dom/server';
import type { FormBundle, FormProps } from '#contract/form/form-page.ts';
import { directionOf } from '#contract/language/languages.ts';
import CONVERSATION_CSS from './conversation.css?inline';
import { EARLY_SCRIPT } from './early.ts';
import EMBED_CSS from './embed.css?inline';
import { EMBED_SCRIPT } from './embed.ts';
import { Face } from './Face.tsx';
import { Form } from './Form.tsx';
import CSS from './form.css?inline';
import { HEAD_SCRIPT } from './head.ts';
import { MAIL_SCRIPT } from './mail.ts';
import { Place } from './Place.tsx';

function renderForm(props: FormProps): string {
  // A closing tag in a text would end the script element.
  const data = JSON.stringify(props).replaceAll('<', '\\u003c');
  // A page whose data was late has guessed the language.
  return `<div id="form" lang="${props.language}" dir="${directionOf(props.language)}">${renderToString(<Form {...props} />)}</div><script id="props" type="application/json">${data}</script>`;
}

const FACE = renderToString(<Face rating={3} />);

const renderPlace: FormBundle['renderPlace'] = (props) => renderToString(<Place {...props} />);

export const bundle: FormBundle = {
  FACE,
  renderForm,
  renderPlace,
  CSS,
  CONVERSATION_CSS,
  EARLY_SCRIPT,
  HEAD_SCRIPT,
  EMBED_CSS,
  EMBED_SCRIPT,
  MAIL_SCRIPT,
};
