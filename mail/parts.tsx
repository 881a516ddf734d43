import { Button, Heading, Text } from '@react-email/components';
import { Fragment, type ReactNode, use } from 'react';
import type { SecurityMail } from '#contract/mail/mail.ts';
import { deviceInWords, momentInWords } from './format.ts';
import { useT } from './language.tsx';
import { buttonStyle, Look } from './look.ts';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from './theme.ts';

interface Words {
  readonly children: ReactNode;
}

export const Title = ({ children }: Words) => (
  <Heading
    as="h1"
    className={dark.text}
    style={{ margin: '0 0 12px', fontSize: '22px', lineHeight: '30px', fontWeight: 600, color: c.text }}
  >
    {children}
  </Heading>
);

export const Subtitle = ({ children }: Words) => (
  <Heading
    as="h2"
    className={dark.text}
    style={{ margin: '20px 0 6px', fontSize: '17px', lineHeight: '24px', fontWeight: 600, color: c.text }}
  >
    {children}
  </Heading>
);

export const Paragraph = ({ children }: Words) => (
  <Text className={dark.text} style={{ margin: '0 0 16px', fontSize: '16px', lineHeight: '25px', color: c.text, wordBreak: 'break-word' }}>
    {children}
  </Text>
);

/** Words of a visitor, or those sent to one, with their line breaks. */
export function Quote({ children }: { readonly children: string }) {
  const t = useT();
  return (
    <Text
      dir="auto"
      className={dark.text}
      style={{ margin: '0 0 16px', fontSize: '19px', lineHeight: '28px', fontWeight: 500, color: c.text, wordBreak: 'break-word' }}
    >
      <Lines>{t('“{text}”', { text: children }).split('\n')}</Lines>
    </Text>
  );
}

interface DetailsProps {
  readonly of: Readonly<Record<string, string>>;
}

/** Other people's input, each on a line with a label, so that it can't pass for our words. */
export const Details = ({ of }: DetailsProps) => (
  <Paragraph>
    <Lines>{Object.entries(of).map(([label, value]) => `${label}: ${value}`)}</Lines>
  </Paragraph>
);

const Lines = ({ children }: { readonly children: readonly string[] }) =>
  [...children.entries()].map(([place, line]) => (
    <Fragment key={place}>
      {place > 0 && <br />}
      {line}
    </Fragment>
  ));

export const Quiet = ({ children }: Words) => (
  <Text
    className={dark.quiet}
    style={{ margin: '0 0 12px', fontSize: '14px', lineHeight: '21px', color: c.quiet, wordBreak: 'break-word' }}
  >
    {children}
  </Text>
);

/** A code to enter. */
export const Code = ({ children }: Words) => (
  <Text
    className={dark.code}
    style={{
      margin: '0 0 16px',
      padding: '14px 12px',
      borderRadius: '8px',
      backgroundColor: c.selected,
      color: c.text,
      fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
      fontSize: '30px',
      lineHeight: '36px',
      letterSpacing: '6px',
      textAlign: 'center',
    }}
  >
    {children}
  </Text>
);

interface NotYouProps extends SecurityMail {
  /** A sentence about further effects of locking. */
  readonly gives?: string;
}

/** When and on which device something was changed, and what to do if someone else did it. */
export function NotYou({ when, device, lock, gives = '' }: NotYouProps) {
  const t = useT();
  return (
    <>
      <Details of={{ [t('When')]: momentInWords(t, when), [t('Device')]: deviceInWords(t, device) }} />
      <Paragraph>
        {t(
          'If this wasn’t you, lock your account. Everyone will be signed out, and no one can sign in until you set a new password by email.',
        )}{' '}
        {gives}
      </Paragraph>
      <Action to={lock}>{t('This was not me')}</Action>
      <Quiet>{t('The button works for seven days and asks you to confirm.')}</Quiet>
    </>
  );
}

interface ToProps extends Words {
  readonly to: string;
}

/** A button. The text part has its URL instead. */
export const Action = ({ to, children }: ToProps) => (
  <Text style={{ margin: '0 0 16px' }}>
    <Button
      href={to}
      className={dark.button}
      style={{
        ...buttonStyle(use(Look)),
        padding: '13px 22px',
        fontSize: '16px',
        fontWeight: 600,
      }}
    >
      {children}
    </Button>
  </Text>
);
