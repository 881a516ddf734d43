import type { Page } from 'playwright-core';

/** A node of React's tree, as far as React DevTools read it too. */
interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly stateNode: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly alternate: Fiber | null;
}

declare global {
  interface Window {
    /** The first element of each component that rendered again, once for each time. */
    rendered: Element[];
    /** When React last changed the page. */
    lastCommit: number;
    __REACT_DEVTOOLS_GLOBAL_HOOK__: object;
  }
}

/** Records which components React renders again, through the hook that it offers to React DevTools. Call before the page opens. */
export const recordRenders = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const COMPONENTS = [0, 11, 15];
    const PERFORMED_WORK = 1;
    const children = function* ({ child }: Fiber) {
      for (let each = child; each; each = each.sibling) yield each;
    };
    const elementBelow = (fiber: Fiber): Element | undefined => {
      for (const child of children(fiber)) {
        const element = child.stateNode instanceof Element ? child.stateNode : elementBelow(child);
        if (element) return element;
      }
      return undefined;
    };
    const visit = (fiber: Fiber, before: Fiber): void => {
      const element = COMPONENTS.includes(fiber.tag) && fiber.flags & PERFORMED_WORK ? elementBelow(fiber) : undefined;
      if (element) window.rendered.push(element);
      // React reuses the children of what it skipped, with the flags of an earlier render.
      if (fiber.child !== before.child) for (const child of children(fiber)) if (child.alternate) visit(child, child.alternate);
    };
    [window.rendered, window.lastCommit] = [[], 0];
    window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onCommitFiberRoot(_renderer: number, { current }: { readonly current: Fiber }) {
        window.lastCommit = performance.now();
        if (current.alternate) visit(current, current.alternate);
      },
    };
  });

/** Waits until React has changed nothing for longer than events are collected. */
export const renderingEnds = (page: Page): Promise<unknown> => page.waitForFunction(() => performance.now() - window.lastCommit > 500);

/** Starts counting from here. */
export async function forgetRenders(page: Page): Promise<void> {
  await renderingEnds(page);
  await page.evaluate(() => {
    window.rendered = [];
  });
}

/** Returns how many components have rendered again in each part of the page, given by its selector. */
export const rendersIn = (page: Page, parts: Readonly<Record<string, string>>): Promise<Record<string, number>> =>
  page.evaluate(
    (selectors) =>
      Object.fromEntries(
        Object.entries(selectors).map(([name, selector]) => [name, window.rendered.filter((element) => element.closest(selector)).length]),
      ),
    parts,
  );
