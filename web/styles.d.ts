/** esbuild bundles style sheets next to the script that imports them; they export nothing. */
declare module '*.css';
