import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../../data/queries.ts';

/** The pages of law are those of the website that the installation belongs to. */
export function LegalLinks() {
  const website = useQuery(configQuery).data?.website ?? '/';
  return (
    <p>
      <a href={below(website, 'privacy')}>Privacy policy</a> · <a href={below(website, 'terms')}>Terms</a>
    </p>
  );
}

const below = (website: string, page: string): string => `${website.replace(/\/$/, '')}/${page}`;
