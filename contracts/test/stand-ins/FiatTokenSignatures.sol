// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title FiatTokenSignatures
/// @notice Signature checks with the rules and the reasons of FiatToken v2.2.
library FiatTokenSignatures {
    bytes4 private constant ERC1271_MAGIC = 0x1626ba7e;
    /// @dev Half of the order of secp256k1: a higher s is a malleable twin (EIP-2).
    uint256 private constant HALF_ORDER =
        0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// @notice Any signer with code is called by ERC-1271. That includes an account that delegated
    ///         by EIP-7702: its own key's signature then counts only if its delegate accepts it.
    function isValid(address signer, bytes32 digest, bytes memory signature)
        internal
        view
        returns (bool)
    {
        if (signer.code.length == 0) return _recover(digest, signature) == signer;
        (bool ok, bytes memory answer) = signer.staticcall(
            abi.encodeWithSelector(ERC1271_MAGIC, digest, signature) // isValidSignature
        );
        return ok && answer.length >= 32 && bytes32(answer) == bytes32(ERC1271_MAGIC);
    }

    function _recover(bytes32 digest, bytes memory signature) private pure returns (address signer) {
        require(signature.length == 65, "ECRecover: invalid signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        require(uint256(s) <= HALF_ORDER, "ECRecover: invalid signature 's' value");
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        signer = ecrecover(digest, v, r, s);
        require(signer != address(0), "ECRecover: invalid signature");
    }
}
