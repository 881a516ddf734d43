import { Body, Container, Head, Html, Img, Link, Section, Text } from '@react-email/components';
import { createContext, type ReactNode, use } from 'react';
import * as v from 'valibot';
import { displayName } from '#contract/core/schema.ts';
import { directionOf, type LanguageTag } from '#contract/language/languages.ts';
import { useLanguage, useT } from './language.tsx';
import { darkButtonCss, Look } from './look.ts';
import { Title } from './parts.tsx';
import { Rich } from './Rich.tsx';
import { LIGHT as c, DARK_CSS, DARK_MODE_CLASSES as dark, FONT } from './theme.ts';

/** An email address or a URL for help; undefined if none is set. */
export const Support = createContext<string | undefined>(undefined);

interface FrameProps {
  readonly title: string;
  /** The first line of the email; the title by default. */
  readonly heading?: string;
  /** The line that mail apps show beside the subject: fixed text, because a stranger may read it (docs/rules.md#mails). */
  readonly preview: string;
  /** The last line: why the recipient gets this email. */
  readonly why: string;
  /** The unsubscribe link. */
  readonly leave?: string | undefined;
  /** For an email to a visitor, whose sender is the property. `stop` is the text of the unsubscribe link. */
  readonly visitor?: { readonly language: LanguageTag; readonly place: string; readonly stop?: string };
  readonly children: ReactNode;
}

/** The layout of every email. It loads nothing from the network. */
export function Frame({ title, heading = title, preview, why, leave, visitor, children }: FrameProps) {
  const t = useT();
  const installationSupport = use(Support);
  // A visitor asks the property.
  const support = visitor ? undefined : installationSupport;
  const look = use(Look);
  const mailLanguage = useLanguage();
  const language = visitor?.language ?? mailLanguage;
  return (
    <Html lang={language} dir={directionOf(language)}>
      <Head>
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{DARK_CSS + (look ? darkButtonCss(look) : '')}</style>
      </Head>
      <Body className={dark.canvas} style={{ margin: 0, padding: '32px 12px', backgroundColor: c.canvas, fontFamily: FONT }}>
        <div data-skip-in-text="true" style={HIDDEN}>
          {preview}
        </div>
        <Container style={{ width: '100%', maxWidth: '600px', margin: '0 auto' }}>
          {look?.logo && (
            <Img
              src="cid:logo"
              width={look.logo.width}
              height={look.logo.height}
              alt={v.is(displayName, look.logo.alt) ? look.logo.alt : ''}
              className={dark.logo}
              data-skip-in-text="true"
              style={{ margin: '0 0 12px' }}
            />
          )}
          <Text className={dark.text} style={{ margin: '0 0 16px', fontSize: '17px', fontWeight: 600, color: c.text }}>
            {visitor?.place ?? 'Afterword'}
          </Text>
          <Section
            className={dark.surface}
            style={{ backgroundColor: c.surface, border: `1px solid ${c.line}`, borderRadius: '12px', padding: '28px 28px 20px' }}
          >
            <Title>{heading}</Title>
            {children}
          </Section>
          <Text className={dark.quiet} style={{ margin: '16px 0 0', fontSize: '13px', lineHeight: '20px', color: c.quiet }}>
            {why}
            {support !== undefined && (
              <>
                {' '}
                <Rich
                  text={t('Questions? Ask <support>{support}</support>', { support })}
                  parts={{
                    support: (text) => (
                      <Link
                        href={support.includes('://') ? support : `mailto:${support}`}
                        className={dark.quiet}
                        style={{ color: c.quiet, textDecoration: 'underline' }}
                      >
                        {text}
                      </Link>
                    ),
                  }}
                />
              </>
            )}
            {leave !== undefined && (
              <>
                {' '}
                <Link href={leave} className={dark.quiet} style={{ color: c.quiet, textDecoration: 'underline' }}>
                  {visitor?.stop ?? t('Unsubscribe')}
                </Link>
              </>
            )}
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

/** Shown in the list of emails, but not in the email. */
const HIDDEN = { display: 'none', overflow: 'hidden', lineHeight: '1px', opacity: 0, maxHeight: 0, maxWidth: 0 };
