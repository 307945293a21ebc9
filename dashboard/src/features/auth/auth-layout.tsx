import type { ReactNode } from 'react';
import { Mark } from '../../ui/display/mark.tsx';
import { useTitle } from '../../ui/layout/page.tsx';
import { texts } from './texts.ts';

const words = texts.authLayout;

/** Surrounds sign-up and login with the product's name and nothing else. */
export function AuthLayout({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center px-4 py-10">
      <header className="mb-8">
        <p className="flex items-center gap-2 text-xl font-semibold">
          <Mark size={28} />
          {words.tocsin}
        </p>
        <p className="mt-2 text-text-muted">{words.promise}</p>
      </header>
      <h1 className="mb-4">{title}</h1>
      {children}
    </main>
  );
}
