/** What the page uses of htm/preact standalone 3.1.1, and no more. */

export interface VNode {
  type: unknown;
}

/** Something that can stand in a template. */
export type Content = VNode | string | number | boolean | null | undefined | Content[];

export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function render(content: VNode, place: Element): void;
export function useState<T>(first: T | (() => T)): [T, (value: T | ((before: T) => T)) => void];
export function useRef<T extends Element>(first: null): { current: T | null };
export function useRef<T>(first: T): { current: T };
export function useEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
