import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { formOperations } from '#contract/form/form.ts';
import { IN_ENGLISH } from '#contract/form/steps.ts';
import { formOf, pier } from '#fixtures/business.ts';
import { draftOf, hasBlock, newBlock, type OptionalBlock, pathOf, sentSteps, withBlock, withoutBlock } from './draft.ts';

const { steps } = draftOf(formOf(pier));
const OPTIONAL: OptionalBlock[] = ['OpenText', 'ContactMe', 'ExternalReview'];
const isAccepted = (sent: readonly unknown[]) =>
  v.is(formOperations.save.input, { payload: { id: pier.data.formId, data: { steps: sent } } });

describe('an edited form', () => {
  it.each(OPTIONAL)('is accepted without %s, and with a new one', (kind) => {
    const without = withoutBlock(steps, kind);
    expect(hasBlock(without, kind)).toBe(false);
    expect(isAccepted(without)).toBe(true);
    const again = withBlock(without, newBlock(kind, pier.data.service));
    expect(hasBlock(again, kind)).toBe(true);
    expect(isAccepted(again)).toBe(true);
  });

  it('keeps its blocks in the order of new forms', () => {
    const bare = OPTIONAL.reduce(withoutBlock, [...steps]);
    const full = OPTIONAL.toReversed().reduce((all, kind) => withBlock(all, newBlock(kind, [])), bare);
    const kindsOf = (list: typeof full) => list.flatMap(({ blocks = [] }) => blocks.map(({ blockType }) => blockType));
    expect(kindsOf(full)).toEqual(kindsOf([...steps]));
  });

  it('is sent with trimmed texts, and without empty subtitles', () => {
    const typed = steps.map((step) => ({ ...step, title: ` ${step.title} `, subtitle: '  ' }));
    expect(sentSteps({ steps: typed, inviteToReview: 'good', ...IN_ENGLISH })).toEqual(
      steps.map(({ subtitle: _subtitle, ...step }) => step),
    );
  });

  it('gives the path of a field', () => {
    expect(pathOf(steps, 'sorry')).toBe('steps.1');
    expect(pathOf(steps, 'experience', 'ContactMe')).toBe('steps.0.blocks.2');
  });
});
