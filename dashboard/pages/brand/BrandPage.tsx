import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { brandQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { AdminsOnly } from '../../frame/Access.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { paths as site } from '../../paths.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Loader } from '../../ui/theme/mantine.ts';
import { BrandForm } from './BrandForm.tsx';

export const BrandPage = () => (
  <AdminsOnly>
    <Brand />
  </AdminsOnly>
);

/** How the account's pages look to visitors. */
function Brand() {
  const { account } = useTeam();
  const { data: brand, isError, isPending, refetch } = useQuery(brandQuery(useSource(), account.id));
  const isLate = useDelayed(isPending);
  return (
    <Page
      title={t('Brand')}
      lead={
        <>
          {t('Your logo and color on forms, kiosks, posters and emails to visitors.')}{' '}
          <Link to={site.guide('brand')}>{t('How it works')}</Link>
        </>
      }
    >
      {isError && <LoadFailed onRetry={refetch}>{t('We couldn’t load the brand.')}</LoadFailed>}
      {brand ? <BrandForm stored={brand} /> : isLate && <Loader size="sm" aria-label={t('Loading the brand')} />}
    </Page>
  );
}
