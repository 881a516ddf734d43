import { expect, it } from 'vitest';
import { openServerProduct, openWorldProduct, type ScenarioOutcome, type ScenarioProduct, START } from './products.ts';
import { SCENARIOS } from './scenarios.ts';

/* Runs each scenario against the demo's world and the server, and compares their responses. */

it.each(Object.keys(SCENARIOS))('%s', async (name) => {
  const world = await outcomesOf(name, await openWorldProduct());
  const server = await outcomesOf(name, await openServerProduct());
  expect(world.length).toBeGreaterThan(5);
  for (const [index, outcome] of server.entries()) expect(world[index], outcome.call).toEqual(outcome);
});

interface RecordedOutcome extends ScenarioOutcome {
  readonly call: string;
}

/** Returns a product's responses in a scenario, with new ids replaced by their order of appearance. */
async function outcomesOf(name: string, product: ScenarioProduct): Promise<RecordedOutcome[]> {
  const outcomes: RecordedOutcome[] = [];
  try {
    await SCENARIOS[name]?.({
      start: START,
      wait: product.wait,
      async ask(caller, operation, input, result = 'ok') {
        const outcome = await product.ask(caller, operation, input);
        const call = `${caller} calls ${operation} with ${JSON.stringify(input).slice(0, 300)}`;
        expect(outcome.result, `${call}: ${JSON.stringify(outcome.body)}`).toBe(result);
        outcomes.push({ call, ...outcome });
        return outcome.body;
      },
    });
  } finally {
    await product.stop();
  }
  return withoutRandomness(outcomes);
}

const RANDOM =
  /PROPERTY_[A-Za-z0-9]{22}|EXPORT_[A-Za-z0-9]{22}|FORM_[A-Za-z0-9]{6}|COMMENT_[A-Za-z0-9]{10}|CONVERSATIONMESSAGE_[A-Za-z0-9]{22}|FEEDBACKREQUEST_[A-Za-z0-9]{22}|(?:TAG|SUPPRESSION|TOPIC)_[A-Za-z0-9]{10}|(?<=SAVEDVIEW_|SAVEDREPLY_|APIKEY_)[A-Za-z0-9]{10}|(?<=WEBHOOK_)[A-Za-z0-9]{10}|(?<=whsec_)[A-Za-z0-9+/]{43}=|(?<="secret":")[A-Za-z0-9]{43}|(?<="secret":"afterword\.\w+\.)[\w-]{43}|(?<="ending":")[\w-]{4}|(?<=TOOL_|at\\":\\")[A-Za-z0-9]{10}|(?<=EXPERIENCE_\d{8}_\d{13}_)[A-Za-z0-9]{5}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces each random id with its order of appearance, so that two runs compare equal. */
function withoutRandomness(all: RecordedOutcome[]): RecordedOutcome[] {
  const names = new Map<string, string>();
  const text = JSON.stringify(all).replace(RANDOM, (id) => {
    if (!names.has(id)) names.set(id, `<${names.size}>`);
    return names.get(id) ?? id;
  });
  return JSON.parse(text) as RecordedOutcome[];
}
