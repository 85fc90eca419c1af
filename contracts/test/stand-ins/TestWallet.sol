// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title TestWallet
/// @notice A contract wallet of one key on local chains: it accepts that key's signatures
///         (ERC-1271), and does nothing else.
contract TestWallet {
    address public immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature)
        external
        view
        returns (bytes4)
    {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer != address(0) && signer == OWNER ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
