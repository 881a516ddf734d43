import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { configQuery } from '../../data/queries.ts';
import styles from './SignIn.module.css';

type Page = 'privacy' | 'terms';

interface LegalLinksProps {
  /** The installation belongs to no website that could have the page. */
  readonly onMissing: (page: Page) => void;
}

/** The pages of law are those of the website that the installation belongs to. */
export function LegalLinks({ onMissing }: LegalLinksProps) {
  const website = useQuery(configQuery).data?.website ?? '';
  const link = (page: Page, words: string): ReactNode =>
    website.startsWith('https://') ? (
      <a href={`${website.replace(/\/$/, '')}/${page}`}>{words}</a>
    ) : (
      <button type="button" className={styles['link']} onClick={() => onMissing(page)}>
        {words}
      </button>
    );
  return (
    <p>
      {link('privacy', 'Privacy policy')} · {link('terms', 'Terms')}
    </p>
  );
}
