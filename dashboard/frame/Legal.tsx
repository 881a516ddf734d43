import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { configQuery } from '../data/queries.ts';
import { Modal } from '../ui/mantine.ts';
import { TextLink } from '../ui/TextLink.tsx';

export type LegalPage = 'privacy' | 'terms';

interface LegalLinkProps {
  readonly page: LegalPage;
  /** Called where the installation belongs to no website that could have the page. */
  readonly onMissing: (page: LegalPage) => void;
  readonly children: ReactNode;
}

/** A link to the privacy policy or the terms, on the website that the installation belongs to. */
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

const NOTICES = {
  privacy: {
    title: 'Privacy policy',
    text: 'Whoever runs this installation has not linked a privacy policy yet. Ask them how they handle your data.',
  },
  terms: { title: 'Terms', text: 'Whoever runs this installation has not linked terms of service yet. Ask them which apply.' },
} as const satisfies Record<LegalPage, object>;

/** Says whom to ask where the installation has no privacy policy or terms. */
export function LegalNotice({ page, onClose }: { page: LegalPage | undefined; onClose: () => void }) {
  const { title, text } = NOTICES[page ?? 'terms'];
  return (
    <Modal opened={page !== undefined} onClose={onClose} title={title}>
      {text}
    </Modal>
  );
}
