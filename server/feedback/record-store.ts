import { sql } from 'drizzle-orm';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { STANDARD } from '#contract/form/form.ts';
import { derive } from '#contract/form/submission.ts';
import { DELETED_IDS } from '../property/store.ts';
import { feedback } from './tables.ts';

export type FeedbackRow = typeof feedback.$inferSelect;

/**
 * Leaves out feedback of deleted properties. The ids are read once per query, so it still walks one index. Opaque, because if most
 * feedback belongs to one property, the planner would expect hardly any rows to remain, and read and sort everything.
 */
export const OF_LIVE_PROPERTIES = sql`case when ${feedback.propertyId} <> all (array(${sql.raw(DELETED_IDS)})) then true else false end`;

/** Converts a row to the contract's record. `unread` is the requesting person's mark. */
export function recordOf(row: FeedbackRow & { readonly unread?: boolean }): Feedback {
  const contact = derive(row.responses)?.contact;
  return {
    id: row.id,
    sk: 'EXPERIENCE',
    gs1sk: row.urgent ? 'URGENT' : 'NORMAL',
    data: {
      created: row.created.getTime(),
      experience: STANDARD,
      accountId: row.accountId,
      projectId: row.propertyId,
      formId: row.formId,
      formVersion: row.formVersion,
      rating: row.rating,
      kind: row.kind,
      source: row.source,
      responses: row.responses,
      ...(row.text !== null && { textFeedback: row.text }),
      ...(contact && { contact }),
      ...(row.converted && { converted: row.converted.getTime() }),
      ...(row.screenWidth !== null &&
        row.screenHeight !== null && {
          diagnostics: { screen: { width: row.screenWidth, height: row.screenHeight } },
        }),
      ...(row.url !== null && { url: row.url }),
      ...(row.userId !== null && { userId: row.userId }),
      ...(row.suspected !== null && { suspected: row.suspected }),
      status: row.status,
      ...(row.statusBy !== null && { statusBy: row.statusBy }),
      ...(row.statusAt && { statusAt: row.statusAt.getTime() }),
      ...(row.assignee !== null && { assignee: row.assignee }),
      tags: row.tags,
      ...(row.unread && { unread: true as const }),
      ...(row.toolId !== null && { toolId: row.toolId }),
      ...(row.test && { test: true as const }),
      ...(row.language !== null && { language: row.language }),
      ...(row.reply !== null && { reply: row.reply }),
      ...(row.orderNumber !== null && { orderNumber: row.orderNumber }),
    },
  };
}
