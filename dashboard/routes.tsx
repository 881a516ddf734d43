import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { AllFeedback, PropertyFeedback, UrgentFeedback } from './pages/feed/scopes.tsx';
import { readFeedSearch } from './pages/feed/search.ts';
import { NotAvailable } from './pages/NotAvailable.tsx';
import { SignOut } from './pages/SignOut.tsx';
import { Gate } from './session/Gate.tsx';

const PropertiesPage = lazyRouteComponent(() => import('./pages/properties/PropertiesPage.tsx'), 'PropertiesPage');
const DemoArea = lazyRouteComponent(() => import('./demo/DemoArea.tsx'), 'DemoArea');

const root = createRootRoute({ component: Outlet });

/* ── For whoever is signed in; the gate shows everybody else the way in ── */

const gated = createRoute({ getParentRoute: () => root, id: 'gated', component: Gate });
const team = gated.addChildren([
  createRoute({ getParentRoute: () => gated, path: '/', validateSearch: readFeedSearch, component: AllFeedback }),
  createRoute({ getParentRoute: () => gated, path: 'urgent', validateSearch: readFeedSearch, component: UrgentFeedback }),
  createRoute({ getParentRoute: () => gated, path: 'properties', component: PropertiesPage }),
  createRoute({
    getParentRoute: () => gated,
    path: 'properties/$propertyId/feedback',
    validateSearch: readFeedSearch,
    component: PropertyFeedback,
  }),
  createRoute({ getParentRoute: () => gated, path: '$', component: NotAvailable }),
]);

/* ── The same below /demo, for anybody ── */

const demo = createRoute({ getParentRoute: () => root, path: 'demo', component: DemoArea });
const sample = demo.addChildren([
  createRoute({ getParentRoute: () => demo, path: '/', validateSearch: readFeedSearch, component: AllFeedback }),
  createRoute({ getParentRoute: () => demo, path: 'urgent', validateSearch: readFeedSearch, component: UrgentFeedback }),
  createRoute({ getParentRoute: () => demo, path: 'properties', component: PropertiesPage }),
  createRoute({
    getParentRoute: () => demo,
    path: 'properties/$propertyId/feedback',
    validateSearch: readFeedSearch,
    component: PropertyFeedback,
  }),
  createRoute({ getParentRoute: () => demo, path: '$', component: NotAvailable }),
]);

const leaving = createRoute({ getParentRoute: () => root, path: 'signout', component: SignOut });

export const router = createRouter({
  routeTree: root.addChildren([team, sample, leaving]),
  // Plain text both ways: a search for 42 stays `?q=42`.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text && `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
