import { link, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** How long assets of earlier builds stay after they were replaced: longer than a page stays open (ms). */
const LIFETIME = 14 * 24 * 60 * 60_000;
/** A build's list of earlier assets, by name, with the time each was replaced (UTC ms). */
const LIST = 'earlier-assets.json';

/** Adds recent assets of earlier builds to the next one, because open pages and a running product still request them. */
export async function addEarlierAssets(current: string, next: string, now: number): Promise<void> {
  const folder = 'public/assets';
  const names = await readdir(path.join(current, folder)).catch(() => []);
  const newNames = new Set(await readdir(path.join(next, folder)));
  const replacedAt = JSON.parse(await readFile(path.join(current, LIST), 'utf8').catch(() => '{}')) as Record<string, number>;
  const list: Record<string, number> = {};
  for (const name of names.filter((each) => !newNames.has(each))) {
    const { [name]: at = now } = replacedAt;
    if (now - at > LIFETIME) continue;
    await link(path.join(current, folder, name), path.join(next, folder, name));
    list[name] = at;
  }
  await writeFile(path.join(next, LIST), JSON.stringify(list));
}
