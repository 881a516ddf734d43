import { Link } from '@react-email/components';
import * as v from 'valibot';
import { displayName } from '#contract/core/schema.ts';
import { EMOJI } from '#contract/feedback/rating.ts';
import { customerName } from '#contract/feedback-request/feedback-request.ts';
import { filled } from '#contract/language/words.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { Paragraph, Quiet } from '../../parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from '../../theme.ts';

/**
 * Asks a customer for feedback, in their language. Each face opens the form and saves the rating. The names of the property and the
 * customer are shown only if they can’t be taken for a link.
 */
export function FeedbackRequest({ language, words, place, name, faces, address, leave }: Mails['feedback-request']) {
  const { title, greeting, reminder, lead, why, stop } = words;
  const isName = v.is(displayName, place);
  return (
    <Frame
      title={title}
      heading={isName ? title : lead}
      preview={lead}
      why={why}
      leave={leave}
      visitor={{ language, place: isName ? place : '', stop }}
    >
      {v.is(customerName, name) && <Paragraph>{filled(greeting, { name })}</Paragraph>}
      {reminder !== undefined && <Paragraph>{reminder}</Paragraph>}
      {isName && <Paragraph>{lead}</Paragraph>}
      <table role="presentation" cellPadding={0} cellSpacing={0} style={{ width: '100%', maxWidth: '400px', margin: '0 0 16px' }}>
        <tbody>
          <tr>
            {faces.map(({ rating, word, link }) => (
              <td key={rating} align="center" valign="top" width="20%">
                <Link
                  href={link}
                  className={dark.text}
                  style={{ display: 'block', padding: '8px 2px', color: c.text, fontSize: '13px', lineHeight: '18px' }}
                >
                  <span aria-hidden="true" data-skip-in-text="true" style={{ fontSize: '32px', lineHeight: '44px' }}>
                    {EMOJI[rating]}
                    <br />
                  </span>
                  {word}
                </Link>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {address !== undefined && <Quiet>{address}</Quiet>}
    </Frame>
  );
}
