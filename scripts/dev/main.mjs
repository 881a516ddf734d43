// `npm run dev`: the product, with its pages updated as they are edited.
import { refuseInUse, runInForeground } from '../foreground.mjs';
import { install } from '../prepare.mjs';

await refuseInUse();
await install({ withDev: true });
runInForeground(['scripts/dev/server.ts']);
