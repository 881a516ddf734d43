import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { configQuery } from '../data/queries.ts';
import { TextLink } from '../ui/TextLink.tsx';

export type LegalPage = 'privacy' | 'terms';

interface LegalLinkProps {
  readonly page: LegalPage;
  /** The installation belongs to no website that could have the page. */
  readonly onMissing: (page: LegalPage) => void;
  readonly children: ReactNode;
}

/** To a page of law of the website that the installation belongs to. */
export function LegalLink({ page, onMissing, children }: LegalLinkProps) {
  const website = useQuery(configQuery).data?.website ?? '';
  if (!website.startsWith('https://')) return <TextLink onClick={() => onMissing(page)}>{children}</TextLink>;
  return (
    <a href={`${website.replace(/\/$/, '')}/${page}`} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

export const LegalLinks = ({ onMissing }: Pick<LegalLinkProps, 'onMissing'>) => (
  <p>
    <LegalLink page="privacy" onMissing={onMissing}>
      Privacy policy
    </LegalLink>{' '}
    ·{' '}
    <LegalLink page="terms" onMissing={onMissing}>
      Terms
    </LegalLink>
  </p>
);
