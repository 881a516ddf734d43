// `npm run dev`: the product with its pages as they are edited (docs/decisions/0036-the-development-server.md).
import { refuseInUse, runInForeground } from './foreground.mjs';
import { install } from './prepare.mjs';

await refuseInUse();
await install({ withDev: true });
runInForeground(['scripts/dev/main.ts']);
