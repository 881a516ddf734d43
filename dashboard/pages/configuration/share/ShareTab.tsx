import { useQuery } from '@tanstack/react-query';
import { MINUTE } from '#contract/core/time.ts';
import type { Kiosk } from '#contract/kiosk/kiosk.ts';
import type { Property } from '#contract/property/property.ts';
import { slugOf } from '#contract/property/slug.ts';
import { isStaff, MOST_TOOLS, type Tool } from '#contract/tool/tool.ts';
import { kiosksQuery, toolsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useFormAddress } from '../../../frame/share/address.ts';
import { FormCode } from '../../../frame/share/FormCode.tsx';
import { PrintForm } from '../../../frame/share/PrintForm.tsx';
import { TryIt } from '../../../frame/share/TryIt.tsx';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { useDelayed } from '../../../ui/hooks.ts';
import { Card } from '../../../ui/page/Page.tsx';
import { Loader } from '../../../ui/theme/mantine.ts';
import page from '../ConfigurationPage.module.css';
import { Embeds } from './Embeds.tsx';
import { Kiosks } from './Kiosks.tsx';
import { Placements } from './Placements.tsx';
import { Receipts } from './Receipts.tsx';
import { Staff } from './Staff.tsx';

/** The form's link and code, its placements, staff, kiosks, snippets and receipts, and printing. */
export function ShareTab({ property }: { property: Property }) {
  const { id, data } = property;
  const addressOf = useFormAddress();
  const source = useSource();
  const { account } = useTeam();
  const tools = useQuery(toolsQuery(source, account.id));
  // Tablets report without an event.
  const kiosks = useQuery({ ...kiosksQuery(source, account.id), refetchInterval: MINUTE });
  const [ownTools, ownKiosks] = [ofProperty(tools.data, id), ofProperty(kiosks.data, id)];
  const others = ownTools?.filter((tool) => !isKiosk(tool, ownKiosks));
  const placements = others?.filter((tool) => !isEmbed(tool) && !isStaff(tool));
  const staff = others?.filter(isStaff);
  const isFull = (ownTools?.length ?? 0) >= MOST_TOOLS;
  // Shown together, because each list would push down the cards below it.
  const isLoading = tools.isPending || kiosks.isPending;
  const isLate = useDelayed(isLoading);
  return (
    <div className={page['cards']}>
      <Card title={t('Link and code')} lead={t('Anyone who opens it can rate their visit. Print it, send it, or put it on your website.')}>
        <FormCode
          address={addressOf(data.formId)}
          of={t('the form of {property}', { property: data.displayName })}
          file={slugOf(data.displayName)}
        >
          <TryIt property={property} />
        </FormCode>
      </Card>
      {isLate && <Loader size="sm" aria-label={t('Loading the placements')} />}
      {!isLoading && (
        <>
          <Placements property={property} tools={placements} isFull={isFull} isError={tools.isError} onRetry={() => void tools.refetch()} />
          <Staff property={property} tools={staff} isFull={isFull} isError={tools.isError} onRetry={() => void tools.refetch()} />
          <Kiosks property={property} kiosks={ownKiosks} isFull={isFull} isError={kiosks.isError} onRetry={() => void kiosks.refetch()} />
          <Embeds property={property} tools={others?.filter(isEmbed)} isError={tools.isError} onRetry={() => void tools.refetch()} />
          <Receipts property={property} />
          <Card
            title={t('Print')}
            lead={t('The property’s name, its question, the code and the link. Any print dialog can save a PDF too.')}
          >
            <PrintForm property={property} tools={[...(placements ?? []), ...(staff ?? [])]} />
          </Card>
        </>
      )}
    </div>
  );
}

const ofProperty = <T extends { readonly gs1sk: string }>(records: readonly T[] | undefined, id: string): T[] | undefined =>
  records?.filter(({ gs1sk }) => gs1sk === id);

const isEmbed = ({ data }: Tool): boolean => data.toolType === 'embed';

/** Returns whether a placement is a kiosk's. Its type decides until the kiosks have loaded; the API accepts that type for others too. */
const isKiosk = ({ id, data }: Tool, kiosks: readonly Kiosk[] | undefined): boolean =>
  kiosks ? kiosks.some((kiosk) => kiosk.id === id) : data.toolType === 'kiosk';
