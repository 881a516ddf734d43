import { useQuery } from '@tanstack/react-query';
import { placementOf } from '#contract/core/ids.ts';
import { stepOf } from '#contract/form/steps.ts';
import type { Property } from '#contract/property/property.ts';
import { slugOf } from '#contract/property/slug.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { brandQuery, formVersionQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import type { PaperName, PrintKind, PrintOrder } from '../../ui/print/order.ts';
import { useFormAddress } from './address.ts';

interface OrderedPages {
  readonly kind: PrintKind;
  readonly paper: PaperName;
  /** One page each; without any, the form's own code. */
  readonly tools?: readonly Tool[];
}

/** Returns a function that creates a print order for a property's form; undefined while its question or the brand loads. */
export function usePrintOrder({ data }: Property): ((pages: OrderedPages) => PrintOrder) | undefined {
  const { accountId, displayName: place, formId } = data;
  const source = useSource();
  const { data: version } = useQuery(formVersionQuery(source, formId));
  const { data: brand, isPending } = useQuery(brandQuery(source, accountId));
  const addressOf = useFormAddress();
  if (!version || isPending) return undefined;
  const question = stepOf(version.form.data.steps, 'experience').title;
  return ({ kind, paper, tools = [] }) => ({
    kind,
    paper,
    sheets:
      tools.length === 0
        ? [{ place, question, address: addressOf(formId) }]
        : tools.map(({ id, data: { displayName: placement } }) => ({
            ...{ place, placement, question },
            address: addressOf(formId, { at: placementOf(id) }),
          })),
    logo: brand?.data.logo,
    language: version.form.data.language,
    fileName: `${slugOf(tools.length === 1 ? `${place} ${tools[0]?.data.displayName}` : place)}-${kind}`,
  });
}
