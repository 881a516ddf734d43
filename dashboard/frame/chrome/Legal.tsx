import type { ComponentProps } from 'react';
import { Checkbox } from '../../ui/theme/mantine.ts';

/** The addresses of the site's own pages about law; the operator's take their place on the server (server/site.ts). */
const LEGAL_PAGES = { privacy: '/privacy', terms: '/terms' } as const;

interface LegalLinkProps {
  readonly page: keyof typeof LEGAL_PAGES;
  readonly children: string;
}

/** A link to the privacy policy or the terms, beside which what was typed stays. */
const LegalLink = ({ page, children }: LegalLinkProps) => (
  <a href={LEGAL_PAGES[page]} target="_blank" rel="noopener">
    {children}
  </a>
);

export const LegalLinks = () => (
  <p>
    <LegalLink page="privacy">Privacy policy</LegalLink> · <LegalLink page="terms">Terms</LegalLink>
  </p>
);

/** Accepts the terms, which are a press away. */
export const TermsCheckbox = (props: ComponentProps<typeof Checkbox>) => (
  <div>
    <Checkbox label="I accept the Terms of Service" {...props} />
    <LegalLink page="terms">Read the Terms of Service</LegalLink>
  </div>
);
