import { useQuery } from '@tanstack/react-query';
import { type Property, slugOf } from '#contract/property/property.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { toolsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useFormAddress } from '../../../frame/share/address.ts';
import { FormCode } from '../../../frame/share/FormCode.tsx';
import { PrintForm } from '../../../frame/share/PrintForm.tsx';
import { TryIt } from '../../../frame/share/TryIt.tsx';
import { useTeam } from '../../../frame/team.ts';
import { Card } from '../../../ui/page/Page.tsx';
import page from '../ConfigurationPage.module.css';
import { Placements } from './Placements.tsx';

const NONE: readonly Tool[] = [];

/** The form's link and code, its placements, and printing. */
export function ShareTab({ property }: { property: Property }) {
  const { id, data } = property;
  const addressOf = useFormAddress();
  const { account } = useTeam();
  const { data: allTools, isError, refetch } = useQuery(toolsQuery(useSource(), account.id));
  const tools = allTools?.filter(({ gs1sk }) => gs1sk === id);
  return (
    <div className={page['cards']}>
      <Card title="Link and code" lead="Anyone who opens it can rate their visit. Print it, send it, or put it on your website.">
        <FormCode address={addressOf(data.formId)} of={`the form of ${data.displayName}`} file={slugOf(data.displayName)}>
          <TryIt property={property} />
        </FormCode>
      </Card>
      <Placements property={property} tools={tools} isError={isError} onRetry={() => void refetch()} />
      <Card title="Print" lead="The property’s name, its question, the code and the link. Any print dialog can save a PDF too.">
        <PrintForm property={property} tools={tools ?? NONE} />
      </Card>
    </div>
  );
}
