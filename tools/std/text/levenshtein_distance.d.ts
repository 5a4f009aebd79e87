/** Returns the number of insertions, deletions, and substitutions between two strings. */
export declare function levenshteinDistance(str1: string, str2: string): number;
