import type { ComponentProps } from 'react';
import { t } from '../../language.ts';
import { Checkbox } from '../../ui/theme/mantine.ts';

/** The addresses of the legal pages; the server replaces them with the operator's (server/site.ts). */
const LEGAL_PAGES = { privacy: '/privacy', terms: '/terms' } as const;

interface LegalLinkProps {
  readonly page: keyof typeof LEGAL_PAGES;
  readonly children: string;
}

/** A link to the privacy policy or the terms, in a new tab so that typed text isn't lost. */
const LegalLink = ({ page, children }: LegalLinkProps) => (
  <a href={LEGAL_PAGES[page]} target="_blank" rel="noopener">
    {children}
  </a>
);

export const LegalLinks = () => (
  <p>
    <LegalLink page="privacy">{t('Privacy policy')}</LegalLink> · <LegalLink page="terms">{t('Terms')}</LegalLink>
  </p>
);

/** A checkbox to accept the terms, with a link to them. */
export const TermsCheckbox = (props: ComponentProps<typeof Checkbox>) => (
  <div>
    <Checkbox label={t('I accept the Terms of Service')} {...props} />
    <LegalLink page="terms">{t('Read the Terms of Service')}</LegalLink>
  </div>
);
